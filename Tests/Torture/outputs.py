#!/usr/bin/env python3
"""What is done with an output after its runs, killed, starved of disk and raced: it is done whole or not at all, and nothing is lost.

usage: outputs.py HARNESS CNICSCAN CLOCK_LAYER.so [--kills 20]
"""
import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import time

from torture import Work

# What a command may end with that found the output in use, half done, or its disk full.
BUSY, FULL = {0, 75}, {0, 73, 74}


class Outputs(Work):
    def __init__(self, options):
        super().__init__("outputs", options.harness)
        self.options, self.rng = options, random.Random(71)
        self.make_input(200, kind="images")
        self.base = self.sub("base")
        self.expect(self.run(self.base), {0}, "the first run")
        for index in range(0, 200, 7):
            with open(self.sub("in", f"{index}_front.png"), "a") as file:
                file.write("changed")
        self.expect(self.run(self.base), {0}, "the second run")
        self.ids = [f"p{index}-images" for index in range(200)]
        with open(self.sub("decisions"), "w") as file:
            for identifier in self.ids:
                file.write(json.dumps({"decidedAt": "2026-01-02T03:04:05Z", "decision": "accepted", "id": identifier, "run": "r",
                                       "schemaVersion": 1}) + "\n")
        self.lines = self.export(self.base)

    def say(self, *arguments, **more):
        return subprocess.run([self.options.cnicscan, *arguments], env=self.environment(**more), capture_output=True, text=True)

    def expect(self, result, statuses, what):
        if result.returncode not in statuses or result.returncode and not (result.stderr or result.stdout).strip():
            self.fault(f"{what}: status {result.returncode}: {result.stdout[-200:]} {result.stderr[-300:]}")
        return result

    def export(self, out):
        """Each pair's line without its decision. A copy's results name the folder that they were written in."""
        result = self.expect(self.say("export", out), {0}, "export")
        lines = [json.loads(line.replace(self.base, "OUT").replace(os.path.abspath(out), "OUT")) for line in result.stdout.splitlines()]
        return {line["id"]: {key: value for key, value in line.items() if key != "review"} for line in lines}

    def copy(self, name):
        out = self.sub(name)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(self.base, out, symlinks=True)
        return out

    def killed(self, seconds, *arguments):
        """Starts a command and kills it within so many seconds. True where that came before its end."""
        process = subprocess.Popen([self.options.cnicscan, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.environment())
        try:
            process.wait(self.rng.uniform(0, seconds))
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return True

    def timed(self, *arguments):
        start = time.time()
        self.expect(self.say(*arguments), {0}, arguments[0])
        return time.time() - start

    def whole(self, out, gone, what):
        """Every pair but those gone is there, with its images and its decision, and nothing of those gone."""
        found = self.export(out)
        wanted = {identifier: line for identifier, line in self.lines.items() if identifier not in gone}
        if found != wanted:
            self.fault(f"{what}: {len(found)} pairs instead of {len(wanted)}, or other lines")
        ledger = sqlite3.connect(os.path.join(out, "ledger.sqlite"))
        images = {name for (names,) in ledger.execute("SELECT images FROM pairs") for name in names.split("/") if name}
        ledger.close()
        if images != set(os.listdir(os.path.join(out, "images"))):
            self.fault(f"{what}: the images are not those of the ledger")
        if self.leftovers(out):
            self.fault(f"{what}: left over {self.leftovers(out)[:3]}")
        decisions = os.path.join(out, "decisions.ndjson")
        if os.path.exists(decisions):
            decided = [json.loads(line)["id"] for line in open(decisions)]
            if set(decided) & gone or len(decided) != len(set(decided)):
                self.fault(f"{what}: decisions on pairs that are gone, or doubled")

    def purges(self):
        gone = {self.ids[7]}
        length = self.timed("purge", self.copy("timed"), "--id", self.ids[7]) * 1.2
        kills = committed = 0
        for _ in range(self.options.kills):
            out = self.copy("purged")
            self.expect(self.say("review", out, "--import", self.sub("decisions"), "--reviewer", "R"), {0}, "review")
            kills += self.killed(length, "purge", out, "--id", self.ids[7])
            self.expect(self.say("export", out), BUSY, "export after a killed purge")
            # Whoever comes next finishes it, or clears it away.
            self.expect(self.say("purge", out, "--id", "nobody"), {0}, "the next purge")
            is_gone = self.ids[7] not in self.export(out)
            committed += is_gone
            self.whole(out, gone if is_gone else set(), "killed purge")
            audit = [json.loads(line)["pairs"] for line in open(os.path.join(out, "audit.ndjson"))]
            if audit != ([1, 0] if is_gone else [0]):
                self.fault(f"killed purge: the audit says {audit}")
            self.expect(self.say("purge", out, "--id", self.ids[7]), {0}, "the purge again")
            self.whole(out, gone, "purged in the end")
        self.counts["purgesKilled"] = {"kills": kills, "committed": committed}

    def imports(self):
        kills = 0
        length = self.timed("review", self.copy("timed"), "--import", self.sub("decisions"), "--reviewer", "R") * 1.1
        for _ in range(self.options.kills):
            out = self.copy("imported")
            kills += self.killed(length, "review", out, "--import", self.sub("decisions"), "--reviewer", "R")
            self.expect(self.say("review", out, "--import", self.sub("decisions"), "--reviewer", "R"), {0}, "import again")
            self.whole(out, set(), "killed import")
            if sum(1 for _ in open(os.path.join(out, "decisions.ndjson"))) != 200:
                self.fault("killed import: decisions are missing")
            kills += self.killed(length, "export", out)
            self.whole(out, set(), "killed export")
        self.counts["importsAndExportsKilled"] = kills

    def shards(self):
        shards = [self.sub(f"shard{index}") for index in range(3)]
        for index, shard in enumerate(shards):
            self.expect(self.run(shard, "--shard", f"{index}/3"), {0}, "shard")
        return shards

    def merges(self, shards):
        kills = 0
        length = self.timed("merge", self.sub("timed-merge"), *shards) * 1.1
        whole = self.export(self.sub("timed-merge"))
        for _ in range(self.options.kills):
            kills += self.killed(length, "merge", self.sub("merged"), *shards)
            self.expect(self.say("merge", self.sub("merged"), *shards), {0}, "merge again")
            if self.export(self.sub("merged")) != whole:
                self.fault("killed merge: other lines")
            places = [os.path.join(folder, name) for folder, _, names in os.walk(self.sub("merged")) for name in names]
            if any(os.lstat(place).st_mode & 0o077 for place in places):
                self.fault("merge: others may read what it wrote")
            shutil.rmtree(self.sub("merged"))
        if [name for name in os.listdir(self.path) if ".merging-" in name]:
            self.fault("killed merges leave folders")
        self.counts["mergesKilled"] = kills

    def full(self, shards):
        """Purge, merge and export on disks that are too small for them, then on one that is not."""
        disk, statuses = self.sub("disk"), {}
        os.makedirs(disk)
        size = sum(os.stat(os.path.join(folder, name)).st_blocks * 512 for folder, _, names in os.walk(self.base) for name in names)
        for spare in (0, 100, 400, 700, 1000, 1500):
            arguments = ["-t", "tmpfs", "-o", f"size={(size >> 10) + 4000 + spare}k", "tmpfs", disk]
            if subprocess.run(["mount", *arguments], capture_output=True).returncode != 0:
                self.counts["disk"] = "skipped: this user cannot mount"
                return
            try:
                out = os.path.join(disk, "out")
                shutil.copytree(self.base, out, symlinks=True)
                room = os.statvfs(disk)
                with open(os.path.join(disk, "filler"), "wb") as filler:
                    filler.write(b"x" * max(0, room.f_bavail * room.f_frsize - (spare << 10)))
                for what, command in (("purge", ["purge", out, "--id", self.ids[7]]), ("merge", ["merge", os.path.join(disk, "merged"), *shards])):
                    result = self.expect(self.say(*command), FULL, f"{what} with {spare} KiB")
                    statuses.setdefault(what, []).append(result.returncode)
                with open(os.path.join(disk, "exported"), "w") as target:
                    exported = subprocess.run([self.options.cnicscan, "export", out], stdout=target, stderr=subprocess.PIPE, text=True)
                    statuses.setdefault("export", []).append(self.expect(exported, FULL | {75}, f"export with {spare} KiB").returncode)
                for name in ("filler", "exported"):
                    os.remove(os.path.join(disk, name))
                shutil.rmtree(os.path.join(disk, "merged"), ignore_errors=True)
                subprocess.run(["mount", "-o", "remount,size=64m", disk], capture_output=True)
                self.expect(self.say("purge", out, "--id", self.ids[7]), {0}, "purge once there is room")
                self.whole(out, {self.ids[7]}, "purge on a full disk")
                self.expect(self.say("merge", os.path.join(disk, "merged"), *shards), {0}, "merge once there is room")
                if [name for name in os.listdir(disk) if ".merging-" in name]:
                    self.fault("a merge on a full disk leaves its folder")
            finally:
                subprocess.run(["umount", disk])
        self.counts["fullDisk"] = statuses

    def read_only(self):
        disk = self.sub("read-only")
        os.makedirs(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk], capture_output=True).returncode != 0:
            return
        try:
            out = os.path.join(disk, "out")
            shutil.copytree(self.base, out, symlinks=True)
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
            self.expect(self.run(out), {73}, "run on a read-only disk")
            self.expect(self.say("purge", out, "--id", self.ids[7]), {73}, "purge on a read-only disk")
            self.expect(self.say("review", out), {66, 73, 74}, "review on a read-only disk")
            self.expect(self.say("review", out, "--import", self.sub("decisions"), "--reviewer", "R"), {73}, "import on a read-only disk")
            self.expect(self.say("merge", os.path.join(disk, "merged"), out), {66, 73}, "merge onto a read-only disk")
            if len(self.export(out)) != 200:
                self.fault("nothing can be exported from a read-only disk")
            self.counts["readOnly"] = 6
        finally:
            subprocess.run(["umount", disk])

    def taken_away(self):
        """OUT is deleted, or moved away, while a run writes it."""
        # Of pairs that take two seconds in all, so that OUT goes while they are read.
        self.make_input(200, kind="images-slow", folder="slow")
        slow = ["--manifest", self.sub("slow", "manifest.csv")]
        for moved in (False, True):
            out = self.sub("taken")
            process = subprocess.Popen(self.command(out, source=slow), env=self.environment(STUB_SLOW="0.02"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(self.rng.uniform(0.3, 0.6))
            os.rename(out, self.sub("elsewhere"))
            if not moved:
                shutil.rmtree(self.sub("elsewhere"))
            output, errors = process.communicate(timeout=60)
            if process.returncode not in (70, 73, 74) or not json.loads(output)["message"]:
                self.fault(f"OUT taken away: status {process.returncode}: {output[-300:]} {errors[-200:]}")
            if moved:
                shutil.rmtree(out, ignore_errors=True)
                os.rename(self.sub("elsewhere"), out)
            self.expect(self.run(out, source=slow), {0}, "after OUT was taken away")
            if self.newest(out).keys() != {f"p{index}-images-slow" for index in range(200)}:
                self.fault("after OUT was taken away: pairs are missing")
            shutil.rmtree(out)
        self.counts["takenAway"] = 2

    def clocks(self):
        """The clock is set back, or forth, and the language changes, between a kill and the resume."""
        self.run(self.sub("undisturbed"))
        expected, images = self.read(self.sub("undisturbed")), set(os.listdir(self.sub("undisturbed", "images")))
        layer = {"LD_PRELOAD": self.options.clock}
        for shift, language in (("-90000", "ur_PK.UTF-8"), ("400000000", "de_DE.UTF-8"), ("-1700000000", "C")):
            out = self.sub("clock")
            process = subprocess.Popen(self.command(out), env=self.environment(STUB_SLOW="0.5"), stdout=subprocess.DEVNULL)
            time.sleep(self.rng.uniform(0.3, 0.6))
            process.kill()
            process.wait()
            more = {**layer, "CLOCK_SHIFT": shift, "LANG": language, "LC_ALL": language}
            self.expect(self.run(out, **more), {0}, f"clock {shift}")
            if self.read(out) != expected:
                self.fault(f"clock {shift}, {language}: the results differ")
            if set(os.listdir(os.path.join(out, "images"))) != images:
                self.fault(f"clock {shift}: images are left or missing")
            again = json.loads(self.expect(self.run(out, LC_ALL="C"), {0}, "again").stdout)
            if again["skipped"] != 200:
                self.fault(f"clock {shift}, {language}: {again['skipped']} skipped")
            shutil.rmtree(out)
        self.counts["clocksAndLanguages"] = 3

    def at_once(self, shards):
        """Two runs, a merge, a purge, an import and an export, all on one output."""
        statuses = {}
        for _ in range(max(2, self.options.kills // 3)):
            out = self.copy("raced")
            with open(self.sub("in", "3_back.png"), "a") as file:
                file.write("again")
            commands = {"run": self.command(out), "run too": self.command(out)}
            for name, words in {"merge": ["merge", out, *shards], "purge": ["purge", out, "--id", self.ids[7]], "export": ["export", out],
                                "import": ["review", out, "--import", self.sub("decisions"), "--reviewer", "R"]}.items():
                commands[name] = [self.options.cnicscan, *words]
            order = list(commands)
            self.rng.shuffle(order)
            started = {}
            for name in order:
                started[name] = subprocess.Popen(commands[name], env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                time.sleep(self.rng.uniform(0, 0.03))
            allowed = {"merge": {73, 75}, "import": {0}}
            for name, process in started.items():
                output, errors = process.communicate()
                statuses.setdefault(name, {}).setdefault(str(process.returncode), 0)
                statuses[name][str(process.returncode)] += 1
                if process.returncode not in allowed.get(name, BUSY):
                    self.fault(f"at once: {name}: status {process.returncode}: {output[-200:]} {errors[-200:]}")
                if name == "export" and process.returncode == 0 and any(not json.loads(line)["id"] for line in output.splitlines()):
                    self.fault("at once: an exported line is torn")
            self.expect(self.run(out), {0}, "the run afterwards")
            self.expect(self.say("purge", out, "--id", self.ids[7]), {0}, "the purge afterwards")
            found = self.export(out)
            if found.keys() != set(self.ids) - {self.ids[7]}:
                self.fault(f"at once: {len(found)} pairs afterwards")
            decided = {json.loads(line)["id"] for line in open(os.path.join(out, "decisions.ndjson"))}
            if not decided >= set(self.ids) - {self.ids[7]}:
                self.fault(f"at once: {len(decided)} decisions afterwards")
        self.counts["atOnce"] = statuses

    def wide(self):
        """A header, and a row, of 5,000 columns."""
        header = "id,front,back,identityNumber"
        for name, text, statuses in (("header", header + "".join(f",c{index}" for index in range(4996)) + "\n", {66}),
                                     ("row", header + "\n" + ",".join(["x"] * 5000) + "\na-1,0_front.png,0_back.png,1234512345671\n", {3})):
            with open(self.sub("in", "wide.csv"), "w") as file:
                file.write(text)
            out = self.sub("wide-" + name)
            result = self.expect(self.run(out, source=["--manifest", self.sub("in", "wide.csv")]), statuses, f"a wide {name}")
            if len(result.stdout) > 2000 or len(result.stderr) > 2000:
                self.fault(f"a wide {name}: a message of {len(result.stdout)} bytes")
        self.counts["wideManifests"] = 2


def main():
    os.umask(0o022)
    parser = argparse.ArgumentParser()
    parser.add_argument("harness")
    parser.add_argument("cnicscan")
    parser.add_argument("clock")
    parser.add_argument("--kills", type=int, default=20)
    outputs = Outputs(parser.parse_args())
    outputs.purges()
    outputs.imports()
    shards = outputs.shards()
    outputs.merges(shards)
    outputs.full(shards)
    outputs.read_only()
    outputs.taken_away()
    outputs.clocks()
    outputs.at_once(shards)
    outputs.wide()
    outputs.finish()


main()
