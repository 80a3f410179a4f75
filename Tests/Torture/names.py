#!/usr/bin/env python3
"""Hostile file names and manifests: each gives a record, a line in unpaired.ndjson, or one clear refusal of the whole.

usage: names.py HARNESS
"""
import argparse
import json
import os
import shutil

from torture import Work

NAMES = ["new\nline", "quo\"te", "apo'strophe", "back\\slash", "semi;colon", "comma,comma", "=cmd|' calc'!A0", "@SUM(1)", "+1", "-1",
         "<script>alert(1)<script>", "r\u202etl", "\u0627\u0631\u062f\u0648", "e\u0301", "\u00e9", " blank ", "tab\t", "percent%41", "$(touch x)",
         "`touch x`", "*", "?", "~", "#", "\u2028", "\ufeffbom", "\U0001f600", "x" * 200, "q\u0624", "q\u0648\u0654", "\u064bmark", "..", "...", "a..b", "con", "nul"]
RAW = [b"\xff\xfe", b"ur\xd8", b"\x80abc", b"\xed\xa0\x80"]

MANIFESTS = {
    "bom": (b"\xef\xbb\xbfid,front,back,identityNumber\na,0_front.png,0_back.png,1\n", 1),
    "crlf": (b"id,front,back,identityNumber\r\na,0_front.png,0_back.png,1\r\n", 1),
    "cr": (b"id,front,back,identityNumber\ra,0_front.png,0_back.png,1\r", 1),
    "quotedSemicolon": (b'id,front,back,identityNumber\n"a;b","0_front.png;0_front.png","0_back.png",1\n', 1),
    "missingColumn": (b"id,front,back\na,x,y\n", None),
    "doubledColumn": (b"id,front,front,back,identityNumber\na,x,y,z,1\n", None),
    "unknownColumn": (b"id,front,back,identityNumber,secret\na,x,y,1,2\n", None),
    "doubledId": (b"id,front,back,identityNumber\na,0_front.png,0_back.png,1\na,0_front.png,0_back.png,1\n", 2),
    "nul": (b"id,front,back,identityNumber\na\0b,0_front.png,0_back.png,1\nc,0_front.png,0_back.png,1\n", 2),
    "longLine": (b"id,front,back,identityNumber\na," + b"x" * (10 << 20) + b",y,1\nb,0_front.png,0_back.png,1\n", 2),
    "longQuoted": (b'id,front,back,identityNumber\n"' + (b"x" * 999 + b"\n") * 10_000 + b'",a,b,1\nb,0_front.png,0_back.png,1\n', 2),
    "longUnclosed": (b'id,front,back,identityNumber\n"a,0_front.png,0_back.png,1\n'
                     + b"".join(b"p%d,0_front.png,0_back.png,1\n" % index for index in range(40_000)), 40_001),
    "utf16": ("id,front,back,identityNumber\na,b,c,1\n".encode("utf-16"), None),
    "utf16NoMark": ("id,front,back,identityNumber\na,b,c,1\n".encode("utf-16-le"), None),
    "latin1": (b"id,front,back,identityNumber\ncaf\xe9,0_front.png,0_back.png,1\nb,0_front.png,0_back.png,1\n", 2),
    "empty": (b"", None),
    "onlyHeader": (b"id,front,back,identityNumber\n", 0),
    "binary": (bytes(range(256)) * 64, None),
    "openQuote": (b'id,front,back,identityNumber\na,0_front.png,0_back.png,1\n"b,0_front.png,0_back.png,1\n', 2),
    "traversal": (b"id,front,back,identityNumber\na,../../../etc/passwd,/etc/passwd,1\n", 1),
    "ndjson": (b'{"id":"a","front":["0_front.png"],"back":"0_back.png","identityNumber":"1"}\n{"id":"b"\n[]\n{"id":1}\n\n', 4),
}


def names(work):
    folder = work.sub("names")
    os.makedirs(folder)
    made = 0
    for name in NAMES:
        for side in ("front", "back"):
            with open(os.path.join(folder, f"{name}_{side}.png"), "w") as file:
                file.write(name + side)
        made += 1
    for raw in RAW:
        with open(os.path.join(folder.encode(), raw + b"_front.png"), "wb") as file:
            file.write(b"x")
    out = work.sub("out")
    result = work.run(out, source=["--input", folder])
    report = json.loads(result.stdout)
    with open(os.path.join(out, "latest", "results.ndjson"), "rb") as file:
        lines = file.read().split(b"\n")[:-1]
    ids = [json.loads(line)["id"] for line in lines]
    hidden = [name for name in NAMES if name.startswith((".", "~$"))]
    if sorted(ids) != sorted(set(NAMES) - set(hidden)):
        work.fault(f"names: {sorted(set(NAMES) - set(hidden) - set(ids))} are missing, {sorted(set(ids) - set(NAMES))} are new")
    if report["unpaired"] != len(RAW) + 2 * len(hidden):
        work.fault(f"names: {report['unpaired']} unpaired")
    if result.returncode != 0 or len(ids) != report["done"]:
        work.fault(f"names: status {result.returncode} {report}")
    work.counts["names"] = made + len(RAW)
    shutil.rmtree(out)


def manifests(work):
    for name, (content, pairs) in MANIFESTS.items():
        with open(work.sub("in", "hostile"), "wb") as file:
            file.write(content)
        out = work.sub("out")
        result = work.run(out, source=["--manifest", work.sub("in", "hostile")])
        report = json.loads(result.stdout)
        if pairs is None:
            if result.returncode != 66 or not report["message"] or report["found"] != 0:
                work.fault(f"{name}: status {result.returncode}, {report['message']}, {report['found']} found")
        elif result.returncode not in (0, 3) or report["found"] != pairs or report["done"] != pairs:
            work.fault(f"{name}: status {result.returncode} {report}")
        shutil.rmtree(out, ignore_errors=True)
    work.counts["manifests"] = len(MANIFESTS)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("harness")
    work = Work("names", parser.parse_args().harness)
    work.make_input(2)
    names(work)
    manifests(work)
    work.finish()


main()
