#!/usr/bin/env python3
"""What the real command leaves behind, however it ends: nothing outside OUT, and in OUT nothing that the next start does not sweep.

usage: leavings.py CNICSCAN FIXTURES     (needs a C compiler)

Each command gets a home, a folder for temporary files and a working folder of its own. They must stay empty, and the time of their
last change must stay what it was: a file that was made and removed again would have been left by a kill at the wrong moment.
"""
import argparse
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from kill import alive, children

HERE = os.path.dirname(os.path.abspath(__file__))
WATCHED = ("temporary", "home", "working")
# Everything that may lie in OUT once a run has ended well.
KNOWN = {".lock", "ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "latest", "runs", "images", "review", "audit.ndjson",
         "decisions.ndjson"}


class Leavings:
    def __init__(self, options):
        self.options, self.faults, self.counts, self.rng = options, [], {}, random.Random(71)
        self.work = tempfile.mkdtemp(prefix="cnicscan-leavings-")
        self.marker = "LEAVINGS=" + os.path.basename(self.work)
        for name in WATCHED:
            os.makedirs(self.sub(name))
        with open(os.path.join(options.fixtures, "manifest.csv")) as file:
            self.rows = [row for row in csv.DictReader(file)][:3]
        self.pairs = [row["id"] for row in self.rows]
        os.makedirs(self.sub("in"))
        for row in self.rows:
            for side in ("front", "back"):
                shutil.copy(os.path.join(options.fixtures, row[side]), self.sub("in"))
        self.write_manifest()
        self.stamps = {name: os.stat(self.sub(name)).st_mtime_ns for name in WATCHED}

    def sub(self, *parts):
        return os.path.join(self.work, *parts)

    def write_manifest(self, *more):
        with open(self.sub("in", "manifest.csv"), "w") as file:
            file.write("id,front,back,identityNumber\n")
            for row in [*self.rows, *more]:
                file.write(f"{row['id']},{row['front']},{row['back']},{row['identityNumber']}\n")

    def fault(self, text):
        self.faults.append(text)

    def start(self, *arguments, **more):
        name, _, value = self.marker.partition("=")
        temporary = {key: self.sub("temporary") for key in ("TMPDIR", "TMP", "TEMP", "TEMPDIR", "SQLITE_TMPDIR")}
        environment = {**os.environ, **temporary, "HOME": self.sub("home"), "XDG_CACHE_HOME": self.sub("home"), name: value, **more}
        environment.pop("SQLITE_TMPDIR")
        return subprocess.Popen(arguments, cwd=self.sub("working"), env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, process, what, status=(0,)):
        output, errors = process.communicate()
        if process.returncode not in status:
            self.fault(f"{what}: status {process.returncode}: {errors[-300:]}")
        self.look(what)
        return output

    def say(self, *arguments, status=(0,), **more):
        return self.end(self.start(self.options.cnicscan, *arguments, **more), arguments[0], status)

    def look(self, what):
        """Nothing was made in the watched folders, and no process is left."""
        for name in WATCHED:
            if os.listdir(self.sub(name)) or os.stat(self.sub(name)).st_mtime_ns != self.stamps[name]:
                self.fault(f"{what}: a file in the {name} folder: {os.listdir(self.sub(name))[:3]}")
                self.stamps[name] = os.stat(self.sub(name)).st_mtime_ns
        deadline = time.time() + 2
        while alive(self.marker) and time.time() < deadline:
            time.sleep(0.02)
        if alive(self.marker):
            self.fault(f"{what}: processes are left running")

    def whole(self, out, what):
        """OUT after a run that ended well: known names, and the images that the results name."""
        strange = set(os.listdir(self.sub(out))) - KNOWN
        strange.update(name for _, _, names in os.walk(self.sub(out)) for name in names if name.endswith((".tmp", ".new", ".purged", ".part")))
        named, outcomes = set(), set()
        with open(self.sub(out, "latest", "results.ndjson")) as file:
            for line in file:
                record = json.loads(line)
                named.update(record["batch"].get("images", []))
                outcomes.add(record["outcome"])
        if "matched" not in outcomes:
            self.fault(f"{what}: no card was read: {sorted(outcomes)}")
        strange |= set(os.listdir(self.sub(out, "images"))) ^ named
        if strange:
            self.fault(f"{what}: {sorted(strange)[:5]}")

    def every_command(self):
        """All that a person runs, ended in the ordinary way."""
        one = [self.sub("in", self.rows[0][side]) for side in ("front", "back")]
        self.say("run", "--manifest", self.sub("in", "manifest.csv"), "--output", self.sub("out"))
        self.whole("out", "run")
        for arguments in (["report"], ["review"], ["export"]):
            self.say(*arguments, self.sub("out"))
        self.say("purge", self.sub("out"), "--id", self.pairs[0])
        self.whole("out", "purge")
        self.say("scan", "--front", one[0], "--back", one[1], "--identity-number", self.rows[0]["identityNumber"], "--images", self.sub("scanned"))
        self.say("decode", *one)
        self.say("check", status=(0, 69, 70))
        request = json.dumps({"id": "a", "front": [one[0]], "back": [one[1]], "identityNumber": "1234512345671", "imagesDirectory": self.sub("scanned")})
        with open(self.sub("requests"), "w") as file:
            file.write(request + "\n")
        for jobs in ([], ["--jobs", "2"]):
            process = self.start("/bin/sh", "-c", 'exec "$0" worker "$@" < ' + self.sub("requests"), self.options.cnicscan, *jobs)
            self.end(process, "worker")
        example = os.path.join(os.path.dirname(self.options.cnicscan), "scan-one-pair")
        if os.access(example, os.X_OK):
            self.end(self.start(example, "12345-1234567-1", *one), "scan-one-pair")
        self.counts["commands"] = 11

    def crashes(self):
        """Workers that die of an image, every time and at random."""
        layer = self.sub("poison.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", layer, os.path.join(HERE, "..", "Cluster", "poison_layer.c")], check=True)
        for side in ("front", "back"):
            shutil.copy(self.sub("in", self.rows[1][side]), self.sub("in", f"poison_{side}.jpg"))
        # One dies before it has saved anything, the other between its two sides.
        self.write_manifest(
            {**self.rows[1], "id": "poisoned", "front": "poison_front.jpg", "back": "poison_back.jpg"},
            {**self.rows[1], "id": "half", "back": "poison_back.jpg"})
        self.say("run", "--manifest", self.sub("in", "manifest.csv"), "--output", self.sub("crashed"), status=(3,), CNICSCAN_WORKER_PRELOAD=layer)
        self.whole("crashed", "crash")
        self.write_manifest()
        killed = 0
        for number in range(2):
            images = self.sub(f"workers{number}", "images")
            process = self.start(self.options.cnicscan, "run", "--manifest", self.sub("in", "manifest.csv"), "--output", self.sub(f"workers{number}"))
            while process.poll() is None and killed < 2 * (number + 1):
                time.sleep(self.rng.uniform(0.1, 0.3))
                # Workers that are killed as they start stop the run, which is another test's.
                for pid in children(process.pid)[:1] if os.path.isdir(images) and os.listdir(images) else []:
                    try:
                        os.kill(pid, signal.SIGKILL)
                        killed += 1
                    except ProcessLookupError:
                        pass
            self.end(process, "killed worker", (0, 3))
            self.whole(f"workers{number}", "killed worker")
        self.counts["workersKilled"] = killed

    def kills(self):
        """The supervisor killed at random moments: what it leaves lies in OUT alone, and the next run sweeps it."""
        killed = 0
        for number in range(4):
            out = self.sub(f"killed{number}")
            process = self.start(self.options.cnicscan, "run", "--manifest", self.sub("in", "manifest.csv"), "--output", out)
            try:
                process.communicate(timeout=self.rng.uniform(0.3, 2))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
            self.look("killed supervisor")
            with open(self.planted(out), "w") as file:
                file.write("half an image")
            self.say("run", "--manifest", self.sub("in", "manifest.csv"), "--output", out)
            self.whole(f"killed{number}", "after a killed supervisor")
        self.counts["supervisorsKilled"] = killed

    def planted(self, out):
        """A half-written image as a killed worker leaves it, in case none of them was killed at that moment."""
        os.makedirs(os.path.join(out, "images"), exist_ok=True)
        return os.path.join(out, "images", "front_00000000-0000-5000-8000-000000000000.png.tmp")

    def merges(self):
        """A merge that was killed leaves a half-built folder beside its place; the next one takes it away."""
        shards = [self.sub(f"shard{index}") for index in range(2)]
        for index, shard in enumerate(shards):
            self.say("run", "--manifest", self.sub("in", "manifest.csv"), "--output", shard, "--shard", f"{index}/2")
        os.makedirs(self.sub("merges"))
        target = self.sub("merges", "whole")
        killed = 0
        for _ in range(20):
            process = self.start(self.options.cnicscan, "merge", target, *shards)
            deadline = time.time() + 5
            while process.poll() is None and time.time() < deadline:
                if any(name.startswith("whole.merging-") for name in os.listdir(self.sub("merges"))):
                    process.kill()
                    killed += 1
                    break
            process.communicate()
            shutil.rmtree(target, ignore_errors=True)
        self.say("merge", target, *shards)
        if os.listdir(self.sub("merges")) != ["whole"]:
            self.fault(f"killed merges leave {sorted(os.listdir(self.sub('merges')))[:4]}")
        self.whole("merges/whole", "merge")
        self.counts["mergesKilled"] = killed

    def finish(self):
        shutil.rmtree(self.work, ignore_errors=True)
        print(json.dumps({"test": "leavings", **self.counts, "faults": self.faults[:10], "faultCount": len(self.faults)}))
        sys.exit(1 if self.faults else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cnicscan")
    parser.add_argument("fixtures")
    leavings = Leavings(parser.parse_args())
    leavings.every_command()
    leavings.crashes()
    leavings.kills()
    leavings.merges()
    leavings.finish()


main()
