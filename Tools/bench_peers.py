#!/usr/bin/env python3
"""Reads the same fresh pairs with `cnicscan` and with its peers, in one run: accuracy and CPU seconds side by side.

    bench_peers.py --binary PATH [--seed S] [--count N] [--levels scan,photo] [--source specimens|judge] [--rounds 3] [--json FILE]

The peers live in a virtual environment of their own (.venv-peers), each with one thread: a pytesseract script and RapidOCR
(the newest of PyPI), both with zxing-cpp for the back. CPU seconds are those of the whole process tree, start included, and
rounds alternate between the engines, so that a busy machine troubles all of them alike."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import accuracy
import scoring

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ["pytesseract", "rapidocr", "onnxruntime", "zxing-cpp", "opencv-python-headless", "pillow", "numpy"]
PEERS = ["tesseract", "rapidocr"]


def peer_python(folder):
    """The interpreter of the peers' environment, made where it is missing."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(os.path.join(folder, "ready")):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
        open(os.path.join(folder, "ready"), "w").close()
    return python


def versions(python):
    listing = subprocess.run([python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True, text=True).stdout
    return {p["name"]: p["version"] for p in json.loads(listing) if p["name"] in PACKAGES}


def read_with_peer(python, engine, folder, output):
    command = [python, os.path.join(HERE, "peers", "read_pairs.py"), "--engine", engine, "--manifest", os.path.join(folder, "manifest.csv"),
               "--output", output]
    status, cpu, _ = accuracy.measured(command)
    if status:
        raise SystemExit(f"{engine} ended with {status}")
    return {line["id"]: line for line in scoring.lines(output)}, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/cnicscan")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED") or time.time()))
    parser.add_argument("--count", type=int, default=int(os.environ.get("COUNT") or 30))
    parser.add_argument("--levels", default="scan,photo")
    parser.add_argument("--source", choices=["specimens", "judge"], default="specimens")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--environment", default=".venv-peers")
    parser.add_argument("--set", help="use this drawn set (its manifest.csv and truth.ndjson) instead of drawing one; names the level too")
    parser.add_argument("--only", help="comma-separated engines, e.g. to measure the peers alone")
    parser.add_argument("--keep", help="keep drawn sets and results in this folder")
    parser.add_argument("--json")
    parser.add_argument("--errors", type=int, default=0)
    arguments = parser.parse_args()
    python = peer_python(arguments.environment)
    engines = arguments.only.split(",") if arguments.only else ["cnicscan"] + PEERS
    report = dict(seed=arguments.seed, count=arguments.count, source=arguments.source, versions=versions(python), levels={})
    print(f"seed {arguments.seed}, {arguments.count} pairs a level from {arguments.source}, {arguments.rounds} rounds; {report['versions']}\n", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        root = arguments.keep or scratch
        os.makedirs(root, exist_ok=True)
        for level in arguments.levels.split(","):
            report["levels"][level] = compare(arguments, python, engines, level, root)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(report, file, ensure_ascii=False, indent=1)


def compare(arguments, python, engines, level, root):
    folder = arguments.set or os.path.join(root, f"{arguments.source}-{level}-{arguments.seed}")
    if not os.path.exists(os.path.join(folder, "truth.ndjson")):
        accuracy.draw(arguments.source, level, arguments.count, arguments.seed, folder, arguments.binary)
    truths = list(accuracy.truth_lines(folder, level))
    seconds, scores = {e: [] for e in engines}, {}
    for turn in range(arguments.rounds):
        for engine in engines:
            output = os.path.join(root, f"{engine}-{level}-{turn}")
            if engine == "cnicscan":
                results, cpu, _ = accuracy.run(arguments.binary, folder, output, 1, [])
            else:
                results, cpu = read_with_peer(python, engine, folder, output + ".ndjson")
            seconds[engine].append(cpu / len(truths))
            scores[engine] = scoring.score(truths, results)[level]
    print(scoring.table(scores, level))
    rows = {}
    for engine in engines:
        middle, values = statistics.median(seconds[engine]), seconds[engine]
        rows[engine] = dict(cpuSecondsPerPair=dict(median=round(middle, 4), low=round(min(values), 4), high=round(max(values), 4)), **{
            k: v for k, v in scores[engine].as_dictionary().items() if arguments.json})
        ours = statistics.median(seconds["cnicscan"]) if "cnicscan" in engines else None
        ratio = f", {middle / ours:.1f} times cnicscan" if ours and engine != "cnicscan" else ""
        print(f"{level} {engine}: {middle:.3f} CPU seconds a pair ({min(values):.3f}-{max(values):.3f}){ratio}")
    print(flush=True)
    return rows


if __name__ == "__main__":
    main()
