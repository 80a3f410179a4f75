#!/usr/bin/env python3
"""What a backfill of 1, 10 and 100 million pairs takes, computed from a measurement: the tables of Scale.md.

    scale_model.py BENCH.json [--photos 0.5] [--busy 0.9] [--cores 64] [--cores-per-task 4] [--task-hours 1]
                   [--write Scale.md | --check Scale.md]

BENCH.json is what `make bench ARGS="--json BENCH.json"` writes. Without --write the tables go to standard output; with it they replace
what stands between the two marks in the file; --check ends with 1 where the file does not hold them. Nothing here is guessed: whatever
is not in the measurement is an option, and its value stands in the tables."""

import argparse
import json
import math
import sys

BEGIN, END = "<!-- begin: Tools/scale_model.py -->", "<!-- end: Tools/scale_model.py -->"
SIZES = [1_000_000, 10_000_000, 100_000_000]


def mixed(bench, photos, value):
    """A value of the measurement for a mix of scans and photos."""
    levels = bench["levels"]
    return (1 - photos) * value(levels["scan"]) + photos * value(levels["photo"])


def amount(number):
    """Three significant digits, with thousands."""
    if number == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    rounded = round(number, 2 - math.floor(math.log10(abs(number))))
    return f"{rounded:,.{digits}f}"


def size(count):
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{amount(count / unit)} {name}"
    return f"{count:.0f} B"


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head, rows):
    return [row(*head), "|" + "---|" * len(head), *[row(*cells) for cells in rows], ""]


class Model:
    def __init__(self, bench, options):
        self.bench, self.options = bench, options
        mix = lambda value: mixed(bench, options.photos, value)
        # With every core busy a pair costs more than alone: caches and memory are shared. That is the state of a backfill.
        self.cpu = mix(lambda level: level["cpuSecondsPerPair"]["2"]["median"])
        self.second = self.cpu / options.busy
        self.bytes = {name: mix(lambda level, name=name: level["diskBytesPerPair"][name]) for name in ("input", "images", "lines", "ledger")}
        self.worker = max(level["workerPeakMegabytes"]["high"] for level in bench["levels"].values())

    def per_task(self):
        return int(self.options.task_hours * 3600 * self.options.cores_per_task / self.second)

    def measured(self):
        bench = self.bench
        where = f"{bench['machine']}, {bench['processors']} processors, load {bench['loadAverage']:.1f} before the start"
        lines = [f"Measured on {where}; seed {bench['seed']}.", ""]
        if bench["loadAverage"] > bench["processors"] / 2:
            lines = [lines[0] + " The machine was busy with other work: the CPU seconds are somewhat too high, the wall seconds far", "too high.", ""]
        rows = []
        for name, level in bench["levels"].items():
            cpu = level["cpuSecondsPerPair"]
            rows.append([f"{name}, {level['pairs']} pairs", f"{cpu['1']['median']:.3f}", f"{cpu['2']['median']:.3f}",
                         f"{level['wallSecondsPerPair']['1']['median']:.3f}", f"{level['workerPeakMegabytes']['high']:.0f} MB",
                         f"{level['supervisorMillisecondsPerPair']['median']:.1f} ms"])
        lines += table(["Level", "CPU s a pair, one job", "CPU s a pair, two jobs", "wall s a pair, one job", "worker's peak",
                        "supervisor's CPU a pair"], rows)
        stages = sorted({stage for level in bench["levels"].values() for stage in level["stageMilliseconds"]})
        rows = []
        for stage in stages:
            times = {name: level["stageMilliseconds"].get(stage, {"median": 0})["median"] for name, level in bench["levels"].items()}
            total = {name: sum(s["median"] for s in level["stageMilliseconds"].values()) for name, level in bench["levels"].items()}
            rows.append([stage] + [f"{times[name]:.0f} ms, {100 * times[name] / total[name]:.0f}%" for name in times])
        return lines + ["Where the time goes (one job):", ""] + table(["Stage"] + list(bench["levels"]), rows)

    def planned(self):
        options, lines = self.options, []
        lines += [f"For a mix of {100 * options.photos:.0f}% photos: {self.cpu:.3f} CPU seconds a pair with all cores busy. Taken that cores "
                  f"work {100 * options.busy:.0f}% of the time: {amount(3600 / self.second)} pairs an hour and core.", ""]
        rows = []
        for pairs in SIZES:
            core_hours = pairs * self.second / 3600
            tasks = math.ceil(pairs / self.per_task())
            rows.append([f"{pairs:,}", amount(core_hours), amount(core_hours / options.cores), f"{tasks:,}",
                         amount(pairs * self.second / 3600 / options.cores / 24)])
        lines += table(["Pairs", "core hours", f"hours on {options.cores} cores",
                        f"shards of {options.cores_per_task} cores for {options.task_hours:g} h ({self.per_task():,} pairs)",
                        f"days on {options.cores} cores"], rows)
        rows = []
        for pairs in SIZES:
            disk = {name: pairs * count for name, count in self.bytes.items()}
            rows.append([f"{pairs:,}", size(disk["input"]), size(disk["images"]), size(disk["lines"]), size(disk["ledger"]),
                         f"{2 * pairs:,}"])
        lines += table(["Pairs", "images read", "images saved (1012 px)", "lines", "ledgers", "files saved"], rows)
        rate = options.cores / self.second
        lines += [f"At {options.cores} cores {amount(rate)} pairs a second are read: {size(rate * self.bytes['input'])}/s from storage and "
                  f"{size(rate * (self.bytes['images'] + self.bytes['lines']))}/s to it, "
                  f"{amount(2 * rate)} files a second each way. Memory: {self.worker:.0f} MB a core at the worst.", ""]
        return lines

    @property
    def text(self):
        return "\n".join([BEGIN, ""] + self.measured() + self.planned() + [END])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--photos", type=float, default=.5, help="share of photos; the rest are scans")
    parser.add_argument("--busy", type=float, default=.9, help="share of the time that cores work: not measured, storage decides it")
    parser.add_argument("--cores", type=int, default=64, help="of the whole cluster")
    parser.add_argument("--cores-per-task", type=int, default=4)
    parser.add_argument("--task-hours", type=float, default=1, help="what a lost task may cost")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--check", metavar="FILE")
    options = parser.parse_args()
    with open(options.bench) as file:
        text = Model(json.load(file), options).text
    if not (options.write or options.check):
        print(text)
        return 0
    with open(options.write or options.check) as file:
        before, rest = file.read().split(BEGIN)
        old, after = rest.split(END)
    if options.check:
        if BEGIN + old + END == text:
            return 0
        print(f"{options.check} does not hold what {options.bench} gives: make scale", file=sys.stderr)
        return 1
    with open(options.write, "w") as file:
        file.write(before + text + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
