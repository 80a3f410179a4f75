#!/usr/bin/env python3
"""Measures how well `cnicscan` reads: `make accuracy`.

    accuracy.py [--seed S] [--count N] [--sources specimens,judge] [--levels clean,scan,photo,hard] [--pages N] [--json FILE]
    accuracy.py --truth TRUTH.ndjson --results RESULTS.ndjson          scores a run that exists

Draws fresh pairs (the seed is the clock's unless given, and is printed), runs `cnicscan run` over them, and prints per level the
table of fields, numbers, types and intervals, the calibration of the confidences, and every error by id and field. Values are
shown with `--values` only; all of them are made up."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import scoring

HERE = os.path.dirname(os.path.abspath(__file__))


def child_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured(command, **more):
    """Runs to the end -> (exit status, CPU seconds of the whole process tree, wall seconds)."""
    cpu, wall = child_seconds(), time.monotonic()
    status = subprocess.run(command, **more).returncode
    return status, child_seconds() - cpu, time.monotonic() - wall


def draw(source, level, count, seed, folder, cnicscan):
    if source == "specimens":
        command = [cnicscan, "specimens", "--count", str(count), "--seed", str(seed), "--level", level, "--output", folder]
    else:
        command = [sys.executable, os.path.join(HERE, "judge", "generate.py"), "--count", str(count), "--seed", str(seed), "--level",
                   "scan" if level == "pages" else level, "--output", folder] + (["--pages"] if level == "pages" else [])
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def run(cnicscan, folder, output, jobs, more):
    """-> ({id: result line}, CPU seconds, wall seconds)"""
    command = [cnicscan, "run", "--manifest", os.path.join(folder, "manifest.csv"), "--output", output, "--jobs", str(jobs), "--quiet", *more]
    status, cpu, wall = measured(command)
    if status not in (0, 3):
        raise SystemExit(f"cnicscan run ended with {status}: {' '.join(command)}")
    path = os.path.join(output, "latest", "results.ndjson")
    return {line["id"]: line for line in scoring.lines(path)}, cpu, wall


def truth_lines(folder, level):
    """Truth lines of a drawn set. `cnicscan specimens` names the card's number and the barcode's apart."""
    for line in scoring.lines(os.path.join(folder, "truth.ndjson")):
        line["level"] = level
        if "front" in line:
            line["identityNumber"] = line.get("barcodeNumber")
        number, expected = scoring.digits(line["identityNumber"]), scoring.digits(line["expectedNumber"])
        line["distance"] = None if number is None else int(number != expected)
        yield line


def show(levels, title, values, most):
    print(scoring.table(levels, title))
    for name, score in levels.items():
        bins = scoring.calibration(score.confidence)
        if bins:
            print(f"\nCalibration, {name}: " + "; ".join(
                f"{b['low']:g}-{b['high']:g}: said {100 * b['promised']:.2f} is {100 * b['observed']:.2f} (n={b['count']})" for b in bins))
        print(f"Outcomes, {name}: {dict(score.outcomes)}; reasons: {dict(score.reasons)}")
        for error in sorted(score.errors, key=lambda e: e["kind"] == "missing")[:most]:
            detail = f": {error['got']!r} for {error['want']!r}" if values else ""
            print(f"  {error['id']} {error['field']} {error['kind']}{detail}")
        if len(score.errors) > most:
            print(f"  … {len(score.errors) - most} more (--errors)")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("CNICSCAN", ".build/release/cnicscan"))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED") or time.time()))
    parser.add_argument("--count", type=int, default=int(os.environ.get("COUNT") or 50), help="pairs a level and source")
    parser.add_argument("--sources", default="specimens,judge")
    parser.add_argument("--levels", default="clean,scan,photo,hard")
    parser.add_argument("--pages", type=int, default=0, help="also that many office pages")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="keep the drawn sets and runs in this folder")
    parser.add_argument("--truth", action="append", help="score only: a truth file")
    parser.add_argument("--results", action="append", help="score only: the run's results.ndjson")
    parser.add_argument("--json", help="write everything there as JSON")
    parser.add_argument("--values", action="store_true", help="show values in the list of errors")
    parser.add_argument("--errors", type=int, default=40, help="how many errors a level to list")
    parser.add_argument("run_options", nargs="*", help="after --: further options of cnicscan run")
    arguments = parser.parse_args()
    report = dict(seed=arguments.seed, count=arguments.count, sources={})
    if arguments.truth:
        results = {line["id"]: line for path in arguments.results or [] for line in scoring.lines(path)}
        truths = [line for path in arguments.truth for line in scoring.lines(path)]
        levels = scoring.score(truths, results)
        show(levels, "given run", arguments.values, arguments.errors)
        report["sources"]["given"] = {name: s.as_dictionary() for name, s in levels.items()}
    else:
        if not os.access(arguments.binary, os.X_OK):
            raise SystemExit(f"no {arguments.binary}: swift build -c release, or --binary PATH")
        print(f"seed {arguments.seed} (SEED={arguments.seed} draws the same pairs again), {arguments.count} pairs a level and source\n", flush=True)
        with tempfile.TemporaryDirectory() as scratch:
            root = arguments.keep or scratch
            for source in arguments.sources.split(","):
                report["sources"][source] = measure_source(arguments, source, root)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(report, file, ensure_ascii=False, indent=1)


def measure_source(arguments, source, root):
    levels, times = {}, {}
    wanted = arguments.levels.split(",") + (["pages"] if arguments.pages and source == "judge" else [])
    for level in wanted:
        folder = os.path.join(root, f"{source}-{level}-{arguments.seed}")
        count = arguments.pages if level == "pages" else arguments.count
        if not os.path.exists(os.path.join(folder, "truth.ndjson")):
            draw(source, level, count, arguments.seed, folder, arguments.binary)
        results, cpu, wall = run(arguments.binary, folder, folder + "-out", arguments.jobs, arguments.run_options)
        truths = list(truth_lines(folder, level))
        levels.update(scoring.score(truths, results))
        times[level] = dict(cpuSecondsPerPair=round(cpu / max(1, len(truths)), 4), wallSecondsPerPair=round(wall / max(1, len(truths)), 4))
    show(levels, source, arguments.values, arguments.errors)
    print("CPU seconds a pair: " + ", ".join(f"{l} {t['cpuSecondsPerPair']:.3f}" for l, t in times.items()) + "\n", flush=True)
    return {name: dict(s.as_dictionary(), **times.get(name, {})) for name, s in levels.items()}


if __name__ == "__main__":
    main()
