#!/usr/bin/env python3
"""Draws pairs of card images with their truth.

    generate.py --count 60 --seed 7 --level clean|scan|photo|hard --output DIR [--pages] [--extras FILE.json]

Writes images, `manifest.csv` and `truth.ndjson`. The same arguments give the same pairs. It is deliberately independent of
`cnicscan specimens`: written from the published facts, with other fonts, papers, desks and damage, and with zint's barcodes."""

import argparse
import csv
import json
import os
import random
import sys

import cv2
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import artwork  # noqa: E402
import barcodes  # noqa: E402
import damage  # noqa: E402
import people  # noqa: E402

cv2.setNumThreads(1)


def drawn_pair(r):
    """A person with both faces drawn: (who, front, back, boxes) with faces as BGR arrays."""
    old = r.random() < .28
    who = people.person(r, old)
    if old:
        who["urduAddress"] = artwork.address(r)
        who["barcode"] = barcodes.pdf417(who, r)
    elif who["overseas"] and r.random() < .2:
        who["barcode"] = barcodes.code128(who["number"], r)
    else:
        who["barcode"] = barcodes.qr(who["number"], r)
    style = artwork.printing(r, who)
    if style["chipless"]:
        payload = b"https://verify.invalid/%08x" % r.getrandbits(32)
        who["frontCode"] = barcodes.symbol(58, payload, "--secure=1")
        if r.random() < .6:
            who["lifetime"], who["expiry"] = True, None
    front, boxes = (artwork.old_front if old else artwork.new_front)(r, who, style)
    back, _ = (artwork.old_back if old else artwork.new_back)(r, who, style)
    return who, style, cv2.cvtColor(np.asarray(front), cv2.COLOR_RGB2BGR), cv2.cvtColor(np.asarray(back), cv2.COLOR_RGB2BGR), boxes


def expected_number(r, who):
    """What the back office thinks the number is: mostly right, sometimes a digit off, two swapped, or another's."""
    k = r.random()
    number = who["number"]
    if k < .90:
        return number if r.random() < .5 else people.dashed(number)
    if k < .94:
        at = r.randrange(1, 13)
        return number[:at] + r.choice([d for d in "0123456789" if d != number[at]]) + number[at + 1:]
    if k < .97:
        at = r.randrange(1, 12)
        return number[:at] + number[at + 1] + number[at] + number[at + 2:]
    return people.number_for(r, who["gender"])


def truth_of(pair_id, level, who, style, expected, boxes):
    data = {}
    if not who["old"]:
        data = dict(name=who["name"], fatherName=who["fatherName"], identityNumber=people.dashed(who["number"]),
                    dateOfBirth=people.dots(who["birth"]), dateOfIssue=people.dots(who["issue"]), gender=who["gender"],
                    country=who["country"])
        if not who["lifetime"]:
            data["dateOfExpiry"] = people.dots(who["expiry"])
    code = who["barcode"]
    number = code["identityNumber"]
    return dict(
        id=pair_id, level=level, documentType="old" if who["old"] else "new", lifetime=who["lifetime"], overseas=who["overseas"],
        identityNumber=people.dashed(number) if number else None, expectedNumber=expected, extractedData=data,
        distance=None if not number else int(number != expected.replace("-", "")),
        barcode=dict(symbology=code["symbology"], bytes=code["payload"].hex()), boxes=boxes,
        style={k: style[k] for k in ("rules", "boldLabels", "boldValues", "chipless", "hologram", "bold", "urduBeside")},
        relationLabel=who["relationLabel"])


def save(path, image, quality, dpi=None):
    flags = {".jpg": [cv2.IMWRITE_JPEG_QUALITY, quality], ".png": [cv2.IMWRITE_PNG_COMPRESSION, 2]}.get(os.path.splitext(path)[1], [])
    if not cv2.imwrite(path, image, flags):
        raise SystemExit(f"cannot write {path}")


def one_pair(index, arguments, damage_function):
    r = random.Random(f"{arguments.seed}/{arguments.level}/{index}")
    n = np.random.default_rng(r.getrandbits(32))
    pair_id = f"{arguments.level}-{index:05d}"
    who, style, front, back, boxes = drawn_pair(r)
    expected = expected_number(r, who)
    truth = truth_of(pair_id, arguments.level, who, style, expected, boxes)
    truth["images"] = {}
    row = dict(id=pair_id, identityNumber=expected)
    for side, card in (("front", front), ("back", back)):
        image, corners, degrees, extension, quality = damage_function(card, arguments.level, r, n)
        name = f"{pair_id}-{side}{extension}"
        save(os.path.join(arguments.output, name), image, quality)
        h, w = image.shape[:2]
        truth["images"][side] = dict(file=name, corners=[[round(float(x) / w, 5), round(float(y) / h, 5)] for x, y in corners], turn=degrees,
                                     size=[w, h])
        row[side] = name
    return row, truth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--level", choices=damage.LEVELS, required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--pages", action="store_true", help="office pages instead of single cards: A4, both sides on a page, up to 8 cards")
    parser.add_argument("--extras", help="a Python file with FONT_PAIRS to use instead and a function spoil(card, r, n)")
    arguments = parser.parse_args()
    os.makedirs(arguments.output, exist_ok=True)
    damage_function = damage.damage
    if arguments.extras:
        scope = {}
        with open(arguments.extras) as file:
            exec(compile(file.read(), arguments.extras, "exec"), scope)
        artwork.FONT_PAIRS[:] = scope.get("FONT_PAIRS", artwork.FONT_PAIRS)
        artwork.URDU_FONTS[:] = scope.get("URDU_FONTS", artwork.URDU_FONTS)
        if "damage" in scope:
            damage_function = scope["damage"](damage)
    if arguments.pages:
        import pages
        pages.generate(arguments, drawn_pair, truth_of, expected_number, save)
        return
    with open(os.path.join(arguments.output, "manifest.csv"), "w", newline="") as rows, \
            open(os.path.join(arguments.output, "truth.ndjson"), "w") as truths:
        table = csv.DictWriter(rows, ["id", "front", "back", "identityNumber"])
        table.writeheader()
        for index in range(arguments.count):
            row, truth = one_pair(index, arguments, damage_function)
            table.writerow(row)
            truths.write(json.dumps(truth, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
