#!/usr/bin/env python3
"""A manifest and a directory of a million: memory, pace, and the first pair before the end of the listing. And locales.

usage: scale.py HARNESS FAST_WORKER [--pairs 1000000] [--memory-megabytes 300] [--pace 5000]
"""
import argparse
import json
import os
import shutil

from torture import Work


def watched(work):
    """A folder for temporary files in which none may be made, not even for a moment."""
    folder = work.sub("temporary")
    os.makedirs(folder)
    stamp = os.stat(folder).st_mtime_ns
    return folder, lambda: os.stat(folder).st_mtime_ns == stamp and not os.listdir(folder)


def manifest(work, options):
    temporary, is_untouched = watched(work)
    with open(work.sub("in", "large.csv"), "w") as file:
        file.write("id,front,back,identityNumber\n")
        for index in range(options.pairs):
            file.write(f"pair-{index:07d},0_front.png,0_back.png,1234512345671\n")
    source = ["--manifest", work.sub("in", "large.csv")]
    out = work.sub("large")
    report = json.loads(work.run(out, source=source, worker=[options.worker], TMPDIR=temporary).stdout)
    pace = report["done"] / report["seconds"]
    work.counts["manifest"] = {"pairs": report["done"], "pairsPerSecond": round(pace), "peakMegabytes": report["peakKilobytes"] >> 10}
    if report["done"] != options.pairs or report["status"] != 0:
        work.fault(f"{report['done']} of {options.pairs} pairs, status {report['status']} {report['message']}")
    if report["peakKilobytes"] > options.memory_megabytes << 10:
        work.fault(f"the supervisor took {report['peakKilobytes'] >> 10} MB")
    if pace < options.pace:
        work.fault(f"{pace:.0f} pairs a second")
    with open(os.path.join(out, "latest", "results.ndjson"), "rb") as file:
        for index, line in enumerate(file):
            if f'"id":"pair-{index:07d}"'.encode() not in line:
                work.fault(f"line {index + 1} is not in order")
                break
    report = json.loads(work.run(out, source=source, worker=[options.worker], TMPDIR=temporary).stdout)
    if not is_untouched():
        work.fault("a temporary file was made outside the run's own folder")
    if any(name.startswith("etilqs") for name in os.listdir(out)):
        work.fault("a temporary file is left")
    work.counts["again"] = {"skipped": report["skipped"], "seconds": round(report["seconds"], 1),
                            "peakMegabytes": report["peakKilobytes"] >> 10}
    if report["skipped"] != options.pairs:
        work.fault(f"again: {report['skipped']} skipped")
    shutil.rmtree(out)


def directory(work, options):
    folder = work.sub("many")
    os.makedirs(folder)
    for index in range(options.pairs // 2):
        for side in ("front", "back"):
            with open(os.path.join(folder, f"{index:07d}_{side}.png"), "w") as file:
                file.write(str(index))
    out = work.sub("manyout")
    mark = work.sub("first")
    report = json.loads(work.run(out, source=["--input", folder], worker=[options.worker], STUB_MARK=mark).stdout)
    # The worker marks its first request; the link is made with the first pair in order, once the listing is complete.
    lead = os.lstat(os.path.join(out, "latest")).st_mtime - os.stat(mark).st_mtime
    work.counts["directory"] = {"files": options.pairs // 2 * 2, "found": report["found"], "firstPairAheadOfListing": round(lead, 2),
                                "peakMegabytes": report["peakKilobytes"] >> 10, "seconds": round(report["seconds"], 1)}
    if report["found"] != options.pairs // 2 or report["status"] != 0:
        work.fault(f"directory: {report['found']} found, status {report['status']} {report['message']}")
    if report["peakKilobytes"] > options.memory_megabytes << 10:
        work.fault(f"directory: the supervisor took {report['peakKilobytes'] >> 10} MB")
    if lead < options.pairs * 2e-7:
        work.fault(f"directory: the first pair began {lead:.2f} s before the end of the listing")
    shutil.rmtree(folder)
    shutil.rmtree(out)


def locales(work):
    expected = None
    for name in ("C", "ur_PK.UTF-8", "de_DE.UTF-8"):
        out = work.sub("locale")
        work.run(out, LC_ALL=name, LANG=name)
        found = work.read(out)
        if expected is not None and found != expected:
            work.fault(f"{name}: the bytes differ")
        expected = found
        shutil.rmtree(out)
    work.counts["locales"] = 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("harness")
    parser.add_argument("worker")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--memory-megabytes", type=int, default=300)
    parser.add_argument("--pace", type=int, default=5000)
    options = parser.parse_args()
    work = Work("scale", options.harness)
    work.make_input(20)
    locales(work)
    manifest(work, options)
    directory(work, options)
    work.finish()


main()
