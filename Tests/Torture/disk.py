#!/usr/bin/env python3
"""Fills the output's disk to the brim, makes it read-only, takes the input away, and holds that a later run completes.

usage: disk.py HARNESS        (as root: it mounts a tmpfs of its own; says "skipped" where it may not)
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import time

from torture import Work


def mount(*arguments):
    return subprocess.run(["mount", *arguments], capture_output=True).returncode == 0


def full(work, disk, expected):
    """Runs on disks of several sizes, and on one that is filled in the middle."""
    rng = random.Random(71)
    for size in (60, 120, 180, 260, 400, 700):
        if not mount("-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk):
            work.counts["disk"] = "skipped: this user cannot mount"
            return
        try:
            out = os.path.join(disk, "out")
            result = work.run(out)
            if result.returncode not in (0, 73, 74):
                work.fault(f"{size} KiB: status {result.returncode} {result.stdout[-200:]}")
            work.counts.setdefault("full", []).append(result.returncode)
            mount("-o", "remount,size=64m", disk)
            finish(work, out, expected, f"{size} KiB")
        finally:
            subprocess.run(["umount", disk])
    for _ in range(4):
        mount("-t", "tmpfs", "-o", "size=4m", "tmpfs", disk)
        try:
            out = os.path.join(disk, "out")
            process = subprocess.Popen(work.command(out), env=work.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(rng.uniform(0.1, 0.5))
            filler = os.path.join(disk, "filler")
            subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=4k"], capture_output=True)
            output, _ = process.communicate()
            if process.returncode not in (0, 73, 74):
                work.fault(f"filled: status {process.returncode} {output[-200:]}")
            work.counts.setdefault("filled", []).append(process.returncode)
            os.remove(filler)
            finish(work, out, expected, "filled")
        finally:
            subprocess.run(["umount", disk])


def read_only(work, disk, expected):
    if not mount("-t", "tmpfs", "-o", "size=16m", "tmpfs", disk):
        return
    try:
        out = os.path.join(disk, "out")
        mount("-o", "remount,ro", disk)
        result = work.run(out)
        if result.returncode != 73:
            work.fault(f"read-only from the start: status {result.returncode}")
        mount("-o", "remount,rw", disk)
        subprocess.run(work.command(out), env=work.environment(STUB_SLOW="0.005"), capture_output=True, timeout=60)
        mount("-o", "remount,ro", disk)
        result = work.run(out, "--fresh")
        if result.returncode not in (73, 74):
            work.fault(f"read-only later: status {result.returncode} {result.stdout[-200:]}")
        mount("-o", "remount,rw", disk)
        finish(work, out, expected, "read-only", fresh=True)
        work.counts["readOnly"] = 2
    finally:
        subprocess.run(["umount", disk])


def finish(work, out, expected, what, fresh=False):
    result = work.run(out)
    if result.returncode != 0:
        work.fault(f"{what}: afterwards status {result.returncode} {result.stdout[-300:]}")
    elif not fresh and work.read(out) != expected:
        work.fault(f"{what}: afterwards the results differ")
    elif fresh and json.loads(result.stdout)["found"] != json.loads(result.stdout)["skipped"] + json.loads(result.stdout)["done"]:
        work.fault(f"{what}: the counts do not add up")
    elif work.leftovers(out):
        work.fault(f"{what}: left over {work.leftovers(out)[:3]}")


def vanished(work):
    """The input goes away in the middle and comes back."""
    whole = work.sub("whole")
    expected = work.newest(whole)
    for delay in (0.15, 0.3, 0.5):
        out = work.sub("vanished")
        process = subprocess.Popen(work.command(out), env=work.environment(STUB_SLOW="0.02"), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(delay)
        os.rename(work.sub("in"), work.sub("away"))
        output, _ = process.communicate()
        os.rename(work.sub("away"), work.sub("in"))
        if process.returncode not in (0, 3, 66):
            work.fault(f"vanished: status {process.returncode} {output[-300:]}")
        again = work.run(out)
        if again.returncode != 0:
            work.fault(f"came back: status {again.returncode} {again.stdout[-300:]}")
        if work.newest(out) != expected:
            work.fault("came back: the results differ")
        shutil.rmtree(out)
    work.counts["vanished"] = 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("harness")
    work = Work("disk", parser.parse_args().harness)
    work.make_input(40)
    work.run(work.sub("whole"))
    expected = work.read(work.sub("whole"))
    disk = work.sub("disk")
    os.makedirs(disk)
    full(work, disk, expected)
    read_only(work, disk, expected)
    vanished(work)
    work.finish()


main()
