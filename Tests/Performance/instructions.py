#!/usr/bin/env python3
"""Counts the instructions of reading three fixed pairs, and fails where they grow by more than 5%.

    instructions.py BINARY            compare with Tests/Performance/instructions.json
    instructions.py BINARY --record   write the counts there: a commit has to say why

Wall and CPU time are noisy where tests run; instructions under callgrind are not. A worker answers one pair and then four (the
first again, and three), and the difference is what three pairs cost, start-up left out; start-up is a count of its own. The
counts hold for one set of library versions, so they are recorded with them: under others the comparison is not made, which is said."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RECORD = os.path.join(HERE, "instructions.json")
PAIRS = ["clean-201-00002", "scan-202-00001", "photo-203-00001"]
ALLOWED = 0.05
LIBRARIES = ["libtesseract5", "libopencv-imgproc406", "libvips42", "libzxing2", "libzbar0", "libc6"]


def versions():
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version}\n"] + LIBRARIES, capture_output=True, text=True
    ).stdout.split("\n")
    found = dict(line.split(" ", 1) for line in shown if " " in line)
    # Libraries choose other code on other processors.
    flags = re.search(r"^flags\s*:(.*)$", open("/proc/cpuinfo").read(), re.M)
    found["processor"] = "avx2" if flags and " avx2 " in flags.group(1) + " " else "other"
    return found


def request(pair, images):
    row = next(line for line in open(os.path.join(ROOT, "Fixtures/manifest.csv")) if line.startswith(pair + ","))
    identifier, front, back, number = row.strip().split(",")[:4]
    paths = [os.path.join(ROOT, "Fixtures", name) for name in (front, back)]
    return json.dumps(
        {"id": identifier, "front": paths[:1], "back": paths[1:], "identityNumber": number, "imagesDirectory": images})


def count(binary, lines, folder):
    """Instructions of a worker that answers `lines`."""
    out = os.path.join(folder, "callgrind.out")
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", binary, "worker", "--no-sandbox"],
        input="\n".join(lines) + "\n", capture_output=True, text=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1", "SWIFT_BACKTRACE": "enable=no",
             "CNICSCAN_MODELS": os.path.join(ROOT, "Models")})
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or len(answers) != len(lines):
        sys.exit(f"the worker under valgrind failed ({done.returncode}):\n{done.stderr[-2000:]}")
    for answer in answers:
        if answer.get("result", {}).get("outcome") not in ("matched", "mismatched"):
            sys.exit(f"{answer.get('id')} was not read: its cost says nothing")
    found = re.search(r"^(?:totals|summary): (\d+)", open(out).read(), re.M)
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # valgrind does not get through Swift's debug information.
        binary = os.path.join(folder, "cnicscan")
        shutil.copy(arguments.binary, binary)
        subprocess.run(["strip", "-g", binary], check=True)
        lines = [request(pair, folder) for pair in PAIRS]
        one = count(binary, lines[:1], folder)
        four = count(binary, lines[:1] + lines, folder)
    counts = {"pair": (four - one) // 3, "start": one - (four - one) // 3}
    print("instructions, millions: " + ", ".join(f"{name} {value / 1e6:.0f}" for name, value in counts.items()))
    if arguments.record:
        with open(RECORD, "w") as file:
            json.dump({"counts": counts, "versions": versions()}, file, indent=2, sort_keys=True)
            file.write("\n")
        return
    recorded = json.load(open(RECORD))
    if recorded["versions"] != versions():
        print(f"not compared: recorded under other versions ({recorded['versions']})")
        return
    grown = {name: counts[name] / value - 1 for name, value in recorded["counts"].items()}
    for name, share in grown.items():
        print(f"{name}: {share:+.1%} of the recorded {recorded['counts'][name] / 1e6:.0f} million")
    if max(grown.values()) > ALLOWED:
        sys.exit(f"grown by more than {ALLOWED:.0%}: mend it, or record the new count in a commit that says why")


if __name__ == "__main__":
    main()
