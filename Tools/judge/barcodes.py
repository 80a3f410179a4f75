"""Symbols by the `zint` command: neither of the readers under test writes what the judge shows them."""

import os
import subprocess
import tempfile

import cv2
import numpy as np

from people import dashed, slashes


def symbol(kind, payload, *options):
    """A black-on-white array of the symbol, a pixel a module, without quiet zone."""
    with tempfile.NamedTemporaryFile(delete=False) as file:
        file.write(payload)
    try:
        png = subprocess.run(
            ["zint", "-b", str(kind), "--binary", "-i", file.name, "--scale", "0.5", "--notext", "--direct", "--filetype=png", *options],
            check=True, capture_output=True).stdout
    finally:
        os.unlink(file.name)
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    return image


def qr(number, r):
    payload = ("".join(r.choice("0123456789") for _ in range(12)) + number + r.choice("0123456789")).encode()
    return dict(symbology="QRCode", payload=payload, image=symbol(58, payload, "--vers=1", "--secure=1"), identityNumber=number)


def code128(number, r):
    """The number alone, or with digits around it that make it ambiguous (then no reader may trust it)."""
    if r.random() < .35:
        extra = "".join(r.choice("0123456789") for _ in range(2))
        payload = (number + extra if r.random() < .5 else extra + number).encode()
        return dict(symbology="Code128", payload=payload, image=symbol(20, payload, "--height=30"), identityNumber=None)
    payload = (dashed(number) if r.random() < .4 else number).encode()
    return dict(symbology="Code128", payload=payload, image=symbol(20, payload, "--height=30"), identityNumber=number)


def low_bytes(urdu):
    """Urdu as the cards hold it: each letter's low byte; letters outside U+06xx and 0x0D, 0x0A are left out."""
    out = bytearray()
    for c in urdu:
        if c == " ":
            out.append(0x20)
        elif 0x600 <= ord(c) <= 0x6FF and ord(c) & 0xFF not in (0x0D, 0x0A):
            out.append(ord(c) & 0xFF)
    return bytes(out)


def pdf417(who, r):
    """An old card's payload. Its control number holds a time stamp that looks like an identity number."""
    stamp = who["issue"].strftime("%Y%m%d") + "%02d%02d" % (r.randrange(8, 18), r.randrange(60))
    control = r.choice(["A0X", "R3K", "B7", "KQ1", "C2M"])
    control += r.choice("1234567") + stamp if not control[-1].isdigit() else stamp
    if r.random() < .1:
        control = "A0X" + r.choice("12345678") + "%d" % r.randrange(10**11, 10**12)
    number = who["number"] if r.random() < .85 else dashed(who["number"])
    parts = [control.encode(), number.encode(), who["family"].encode(), slashes(who["birth"]).encode(),
             low_bytes(who["urduName"]), low_bytes(who["urduFatherName"]), low_bytes(who["urduAddress"])]
    if r.random() < .12:
        parts.insert(1, parts.pop(0))
    if r.random() < .35:
        parts.insert(1, b"")
    mark = r.choices([b"\r", b"\n", b"\r\n"], [70, 15, 15])[0]
    payload = mark.join(parts) + (mark if r.random() < .3 else b"")
    image = symbol(55, payload, "--cols=%d" % r.choice([7, 8, 9, 10, 11, 12]), "--secure=%d" % r.choice([2, 2, 3, 4]))
    return dict(symbology="PDF417", payload=payload, image=image, identityNumber=who["number"])
