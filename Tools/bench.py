#!/usr/bin/env python3
"""Measures what a pair costs: `make bench`.

    bench.py --binary PATH [--seed S] [--count N] [--rounds 3] [--levels scan,photo] [--json FILE]

On fresh pairs: CPU and wall seconds a pair and pairs a second at one and two jobs, the scaling beside that of two runs that
share nothing, peak memory of a worker and of the supervisor, the supervisor's own CPU a pair, time a stage beside the floor
measured in the same run, a warm start's length, and what a 12-megapixel photo costs beside a scan. Medians over rounds with
their spread; CPU leads, since wall is noisy."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

import cv2

import accuracy
import scoring
import watch


def spread(values, digits=4):
    return dict(median=round(statistics.median(values), digits), low=round(min(values), digits), high=round(max(values), digits))


def one_run(binary, manifest, output, jobs):
    shutil.rmtree(output, ignore_errors=True)
    seen = watch.Watched([binary, "run", "--manifest", manifest, "--output", output, "--jobs", str(jobs), "--quiet"])
    if seen.status not in (0, 3):
        raise SystemExit(f"cnicscan run ended with {seen.status}")
    stages, pairs = defaultdict(list), []
    for line in scoring.lines(os.path.join(output, "latest", "timings.ndjson")):
        pairs.append(line["milliseconds"])
        for stage, value in line["stages"].items():
            stages[stage].append(value)
    return seen, {stage: statistics.fmean(values) * len(values) / len(pairs) for stage, values in stages.items()}, pairs


def two_at_once(binary, manifest, output):
    """Wall seconds of two runs of one job each that know nothing of one another: what the machine's cores allow two jobs."""
    commands = [[binary, "run", "--manifest", manifest, "--output", f"{output}-{k}", "--jobs", "1", "--quiet"] for k in "ab"]
    for command in commands:
        shutil.rmtree(command[5], ignore_errors=True)
    start = time.monotonic()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    if any(process.wait() not in (0, 3) for process in running):
        raise SystemExit("cnicscan run failed")
    return time.monotonic() - start


def disk(output, manifest, count):
    """Bytes a pair of what a run reads and leaves: the card images given, those saved, the lines, the ledger."""
    with open(manifest) as file:
        given = {name for row in file.read().splitlines()[1:] for cell in row.split(",")[1:3] for name in cell.split(";") if name}
    folder, latest = os.path.dirname(manifest), os.path.realpath(os.path.join(output, "latest"))
    size = lambda paths: round(sum(os.path.getsize(path) for path in paths) / count)
    inside = lambda place: [os.path.join(place, name) for name in os.listdir(place)]
    return dict(input=size(os.path.join(folder, name) for name in given), images=size(inside(os.path.join(output, "images"))),
                lines=size(path for path in inside(latest) if path.endswith(".ndjson")),
                ledger=size(path for path in inside(output) if "ledger.sqlite" in path))


def first_rows(manifest, count, target):
    with open(manifest) as file:
        rows = file.readlines()[:count + 1]
    with open(target, "w") as file:
        file.writelines(rows)


def big_photos(folder, truths, target, count):
    """The same pairs as 12-megapixel JPEG photos (4000 pixels wide)."""
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(folder, "manifest.csv")) as file:
        rows = file.read().splitlines()[:count + 1]
    for row in rows[1:]:
        for name in row.split(",")[1:3]:
            image = cv2.imread(os.path.join(folder, name))
            scale = (12e6 / (image.shape[0] * image.shape[1])) ** .5
            cv2.imwrite(os.path.join(target, os.path.splitext(name)[0] + ".jpg"), cv2.resize(image, None, fx=scale, fy=scale),
                        [cv2.IMWRITE_JPEG_QUALITY, 85])
    with open(os.path.join(target, "manifest.csv"), "w") as file:
        file.write(rows[0] + "\n")
        for row in rows[1:]:
            cells = row.split(",")
            cells[1:3] = [os.path.splitext(c)[0] + ".jpg" for c in cells[1:3]]
            file.write(",".join(cells) + "\n")
    return os.path.join(target, "manifest.csv")


def measure(arguments, level, root):
    folder = os.path.join(root, f"{arguments.source}-{level}-{arguments.seed}")
    if not os.path.exists(os.path.join(folder, "truth.ndjson")):
        accuracy.draw(arguments.source, level, arguments.count, arguments.seed, folder, arguments.binary)
    truths = list(accuracy.truth_lines(folder, level))
    manifest, count, output = os.path.join(folder, "manifest.csv"), len(truths), os.path.join(root, "bench-out")
    cpu, wall, workers, supervisors, overhead, stages = defaultdict(list), defaultdict(list), [], [], [], defaultdict(list)
    apart = []
    for _ in range(arguments.rounds):
        apart.append(two_at_once(arguments.binary, manifest, output) / (2 * count))
        for jobs in (1, 2):
            seen, times, _ = one_run(arguments.binary, manifest, output, jobs)
            cpu[jobs].append(seen.cpu / count)
            wall[jobs].append(seen.wall / count)
            workers.append(seen.worker_peak)
            supervisors.append(seen.supervisor_peak)
            overhead.append(1000 * seen.supervisor_cpu / count)
            if jobs == 1:
                for stage, value in times.items():
                    stages[stage].append(value)
    import floor
    least = floor.measure(folder, truths[:arguments.floor_pairs], arguments.models, arguments.language)
    # What a run saves its images in can be done.
    least["savePNG"] = min(least["savePNG"], round(statistics.median(stages["save"]), 2))
    least["total"] = round(sum(value for part, value in least.items() if part != "total"), 2)
    middle = statistics.median(cpu[1])
    return dict(
        pairs=count, rounds=arguments.rounds, cpuSecondsPerPair={str(j): spread(v) for j, v in cpu.items()},
        wallSecondsPerPair={str(j): spread(v) for j, v in wall.items()},
        pairsPerSecond={str(j): round(1 / statistics.median(v), 2) for j, v in wall.items()},
        scaling=round(statistics.median(wall[1]) / statistics.median(wall[2]), 2),
        scalingOfSeparateRuns=round(statistics.median(wall[1]) / statistics.median(apart), 2), workerPeakMegabytes=spread(workers, 1),
        supervisorPeakMegabytes=spread(supervisors, 1), supervisorMillisecondsPerPair=spread(overhead, 2),
        diskBytesPerPair=disk(output, manifest, count),
        stageMilliseconds={stage: spread(v, 2) for stage, v in sorted(stages.items())}, floorMilliseconds=least,
        timesFloor=round(1000 * middle / least["total"], 2)), manifest


def show(level, m):
    print(f"## {level}, {m['pairs']} pairs, {m['rounds']} rounds (median, lowest-highest)")
    say = lambda s: f"{s['median']:g} ({s['low']:g}-{s['high']:g})"
    rows = [("CPU seconds a pair, 1 job", say(m["cpuSecondsPerPair"]["1"])), ("CPU seconds a pair, 2 jobs", say(m["cpuSecondsPerPair"]["2"])),
            ("wall seconds a pair, 1 job", say(m["wallSecondsPerPair"]["1"])), ("wall seconds a pair, 2 jobs", say(m["wallSecondsPerPair"]["2"])),
            ("pairs a second, 1 and 2 jobs; scaling", f"{m['pairsPerSecond']['1']} and {m['pairsPerSecond']['2']}; {m['scaling']}"),
            ("scaling of two separate one-job runs", str(m["scalingOfSeparateRuns"])),
            ("worker's peak, MB", say(m["workerPeakMegabytes"])), ("supervisor's peak, MB", say(m["supervisorPeakMegabytes"])),
            ("supervisor's own CPU, ms a pair", say(m["supervisorMillisecondsPerPair"])),
            ("floor, ms a pair", ", ".join(f"{k} {v}" for k, v in m["floorMilliseconds"].items())), ("times the floor", str(m["timesFloor"]))]
    rows.append(("disk, bytes a pair", ", ".join(f"{k} {v}" for k, v in m["diskBytesPerPair"].items())))
    rows += [(f"stage {stage}, ms a pair", say(v)) for stage, v in m["stageMilliseconds"].items()]
    print("\n".join(f"| {a.ljust(40)} | {b} |" for a, b in rows) + "\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/cnicscan")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED") or time.time()))
    parser.add_argument("--count", type=int, default=int(os.environ.get("COUNT") or 40))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--levels", default="scan,photo")
    parser.add_argument("--source", choices=["specimens", "judge"], default="specimens")
    parser.add_argument("--models", default="Models", help="folder of the language data for the floor")
    parser.add_argument("--language", default="card")
    parser.add_argument("--floor-pairs", type=int, default=20)
    parser.add_argument("--keep", help="keep drawn sets in this folder")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    report = dict(seed=arguments.seed, machine=subprocess.run(["uname", "-srm"], capture_output=True, text=True).stdout.strip(), processors=os.cpu_count(),
                  loadAverage=os.getloadavg()[0], levels={})
    print(f"seed {arguments.seed}; {report['machine']}, {report['processors']} processors, load {report['loadAverage']:.1f}\n", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        root = arguments.keep or scratch
        os.makedirs(root, exist_ok=True)
        for level in arguments.levels.split(","):
            report["levels"][level], manifest = measure(arguments, level, root)
            show(level, report["levels"][level])
            if level == "photo":
                few = min(10, arguments.count)
                big = big_photos(os.path.dirname(manifest), None, os.path.join(root, "big"), few)
                first_rows(manifest, few, os.path.join(os.path.dirname(manifest), "few.csv"))
                ratios = []
                for _ in range(arguments.rounds):
                    large = one_run(arguments.binary, big, os.path.join(root, "bench-out"), 1)[0].cpu
                    ratios.append(large / few)
                report["cpuSecondsPerPair12Megapixels"] = spread(ratios)
        single = os.path.join(os.path.dirname(manifest), "one.csv")
        first_rows(manifest, 1, single)
        starts = []
        for _ in range(max(3, arguments.rounds)):
            seen, _, pairs = one_run(arguments.binary, single, os.path.join(root, "bench-out"), 1)
            starts.append(1000 * seen.wall - sum(pairs))
        report["startToEndMillisecondsBesidePair"] = spread(starts, 1)
    if "cpuSecondsPerPair12Megapixels" in report:
        big = report["cpuSecondsPerPair12Megapixels"]["median"]
        scan = report["levels"].get("scan")
        beside = f", {big / scan['cpuSecondsPerPair']['1']['median']:.2f} times a scan" if scan else ""
        print(f"12-megapixel photos: {big:.3f} CPU seconds a pair{beside}")
    print(f"start and end of a run of one pair, beside the pair itself: {report['startToEndMillisecondsBesidePair']['median']:.0f} ms")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
