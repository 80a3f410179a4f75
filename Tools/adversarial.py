#!/usr/bin/env python3
"""Tries to get a false match: expected numbers that are nearly right, against real images of backs.

    adversarial.py --binary PATH [--seed S] [--images 300] [--comparisons 10000] [--jobs 2]

Draws backs by the judge's generator at all four levels, and lets `cnicscan run` compare each with many wrong numbers: one digit
changed, two neighbours swapped, another person's number, the number of the time stamp's digits, and again with part of the
barcode or of the printed number covered. Not one may come out with distance 0; each image is also asked with its right
number, so that a reader that never answers does not pass. Exit status 1 on any false match."""

import argparse
import csv
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter

import cv2

import accuracy
import scoring

LEVELS = ["clean", "scan", "photo", "hard"]


def swapped(number, r):
    places = [k for k in range(12) if number[k] != number[k + 1]]
    at = r.choice(places)
    return number[:at] + number[at + 1] + number[at] + number[at + 2:]


def changed(number, r):
    at = r.randrange(13)
    first = "12345678" if at == 0 else "0123456789"
    return number[:at] + r.choice([d for d in first if d != number[at]]) + number[at + 1:]


def window(payload, number, r):
    """A run of 13 digits of the payload itself that is not the number: what a careless reader would compare with."""
    digits = "".join(c for c in payload.decode("latin-1") if c.isdigit())
    runs = [digits[k:k + 13] for k in range(len(digits) - 12) if digits[k:k + 13] != number and digits[k] in "12345678"]
    return r.choice(runs) if runs else changed(number, r)


def cover(path, target, r):
    """A patch of the ground's colour over a part of the card's middle; the compared number is then one digit off."""
    image = cv2.imread(path)
    h, w = image.shape[:2]
    for _ in range(r.randint(1, 3)):
        x, y = r.randrange(w * 3 // 4), r.randrange(h * 3 // 4)
        cv2.rectangle(image, (x, y), (x + w // r.randint(6, 14), y + h // r.randint(6, 14)), tuple(r.randrange(256) for _ in range(3)), -1)
    cv2.imwrite(target, image, [cv2.IMWRITE_JPEG_QUALITY, 80])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/cnicscan")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED") or time.time()))
    parser.add_argument("--images", type=int, default=300)
    parser.add_argument("--comparisons", type=int, default=10000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--set", action="append", help="use drawn sets of the judge instead of drawing")
    arguments = parser.parse_args()
    r = random.Random(arguments.seed)
    print(f"seed {arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory() as root:
        folders = arguments.set or []
        for level in [] if arguments.set else LEVELS:
            folders.append(os.path.join(root, level))
            accuracy.draw("judge", level, -(-arguments.images // len(LEVELS)), arguments.seed, folders[-1], arguments.binary)
        backs = []
        for folder in folders:
            for truth in scoring.lines(os.path.join(folder, "truth.ndjson")):
                if truth["identityNumber"]:
                    source = os.path.join(folder, truth["images"]["back"]["file"])
                    if arguments.set:  # a manifest's paths may not leave its folder
                        source = shutil.copy(source, os.path.join(root, f"{len(backs)}-{os.path.basename(source)}"))
                    backs.append((source, truth))
        kinds, rows = {}, []
        numbers = [scoring.digits(t["identityNumber"]) for _, t in backs]
        for path, truth in backs:
            rows.append((f"right-{len(rows)}", path, scoring.digits(truth["identityNumber"])))
            kinds[rows[-1][0]] = "right"
        while len(rows) < arguments.comparisons + len(backs):
            path, truth = r.choice(backs)
            number = scoring.digits(truth["identityNumber"])
            kind = r.choice(["changed", "swapped", "another", "window", "covered"])
            if kind == "covered":
                target = os.path.join(root, f"covered-{len(rows) % 100}.jpg")
                target = target if not os.path.exists(target) else os.path.join(root, f"covered-{len(rows)}.jpg")
                cover(path, target, r)
                path = target
            wrong = dict(swapped=lambda: swapped(number, r), another=lambda: r.choice([n for n in numbers if n != number]),
                         window=lambda: window(bytes.fromhex(truth["barcode"]["bytes"]), number, r)).get(kind, lambda: changed(number, r))()
            rows.append((f"{kind}-{len(rows)}", path, wrong))
            kinds[rows[-1][0]] = kind
        manifest = os.path.join(root, "manifest.csv")
        with open(manifest, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["id", "front", "back", "identityNumber", "scanMode"])
            table.writerows((name, "", os.path.relpath(path, root), number, "backOnly") for name, path, number in rows)
        output = os.path.join(root, "out")
        command = [arguments.binary, "run", "--manifest", manifest, "--output", output, "--jobs", str(arguments.jobs), "--quiet"]
        status, cpu, _ = accuracy.measured(command)
        if status not in (0, 3):
            raise SystemExit(f"cnicscan run ended with {status}")
        counts, false = Counter(), []
        for line in scoring.lines(os.path.join(output, "latest", "results.ndjson")):
            kind, distance = kinds[line["id"]], (line.get("payload") or {}).get("distance")
            counts[kind, {0: "match", 1: "mismatch", None: "no number"}[distance]] += 1
            if kind != "right" and distance == 0:
                false.append(line["id"])
    for kind in ["right", "changed", "swapped", "another", "window", "covered"]:
        print(f"{kind.ljust(8)} " + ", ".join(f"{word} {counts[kind, word]}" for word in ("match", "mismatch", "no number")))
    wrong = sum(n for (kind, _), n in counts.items() if kind != "right")
    print(f"{len(false)} false matches of {wrong} adversarial comparisons; CPU {cpu:.0f} s" + "".join(f"\n  {name}" for name in false))
    sys.exit(1 if false or not counts["right", "match"] else 0)


if __name__ == "__main__":
    main()
