#!/usr/bin/env python3
"""Makes what the test of the calibration holds the program against, from what `front-evidence` says of cards of fresh seeds.

    fixture.py EVIDENCE.ndjson… > Tests/CardReadingTests/evidence.csv

A line a value: the calibration's group, 1 where it was read right, 1 where something seen contradicts it, then the features in
the order of FrontEvidence.names. Nothing that was read is in it. Values that cannot go wrong at all, those that something
contradicts and that are wrong, stay in: a rule that is loosened must be seen to let them pass."""

import json
import sys

for path in sys.argv[1:]:
    for line in open(path):
        row = json.loads(line)
        if "features" in row:
            numbers = [f"{round(value, 3):g}" for value in row["features"]]
            print(",".join([row["group"], str(int(row["right"])), str(int(row["contradicted"])), *numbers]))
