#!/usr/bin/env python3
"""Hostile image files through the real reader: each gives exactly one record with a fitting reason, and the run goes on to its end.

usage: hostile.py CNICSCAN FIXTURES [--flips 1000] [--cuts 20]     (needs Pillow and pillow-heif: Support/requirements-test.txt)
"""
import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

from PIL import Image

import hostile_files

# What a limit ends is a record like any other. A crash costs its pair alone; more than one in a hundred is a fault.
LIMITS = {"timeLimit", "memoryLimit"}
# Names of files are no commands: programs that guess would open these.
NAMES = ["msl:good.jpg", "label:@good.jpg", "text:good.jpg", "caption:@/etc/passwd", "https://127.0.0.1:PORT/x.jpg", "file:///etc/passwd",
         "|touch CANARY", "good.jpg[0]", "good.jpg[shrink=8]", "good.jpg;touch CANARY", "$(touch CANARY).jpg", "-", "-o", "fd:0", "/dev/stdin",
         "/proc/self/environ", "good.jpg/.", "../in/../../etc/passwd", "good.jpg\\x00.png", "."]


class Listener:
    """Counts whoever calls."""

    def __init__(self):
        self.calls = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            connection, _ = self.socket.accept()
            self.calls += 1
            connection.close()


class Hostile:
    def __init__(self, options):
        self.options, self.faults, self.rng = options, [], random.Random(71)
        self.work = tempfile.mkdtemp(prefix="cnicscan-hostile-")
        self.listener = Listener()
        self.canary = os.path.join(self.work, "canary")
        self.images = [Image.open(os.path.join(options.fixtures, f"clean-201-00002_{side}.jpg")).convert("RGB") for side in ("front", "back")]
        self.counts = {}

    def folder(self, name):
        path = os.path.join(self.work, name)
        os.makedirs(path)
        self.rows, self.allowed, self.path = [], {}, path
        for side, image in zip(("good", "goodback"), self.images):
            with open(os.path.join(path, side + ".jpg"), "wb") as file:
                file.write(hostile_files.saved(image, "JPEG", quality=90))

    def add(self, name, extension, content, allowed, sides=("frontOnly", "backOnly")):
        content = content.replace(b"CANARY", self.canary.encode()).replace(b"PORT", str(self.listener.port).encode())
        with open(os.path.join(self.path, f"{name}.{extension}"), "wb") as file:
            file.write(content)
        for mode in sides:
            self.row(f"{name}.{mode}", f"{name}.{extension}", mode, allowed)

    def row(self, identifier, path, mode, allowed):
        quoted = '"' + path.replace("\\", "\\\\").replace(";", "\\;").replace('"', '""') + '"'
        front, back = {"frontOnly": (quoted, ""), "backOnly": ("", quoted), "front": (quoted, "goodback.jpg"), "back": ("good.jpg", quoted)}[mode]
        self.rows.append(f"{identifier},{front},{back},4210100000017,{'frontAndBack' if mode in ('front', 'back') else mode}")
        self.allowed[identifier] = allowed

    def damage(self, files, flips):
        for number, (name, extension, content) in enumerate(files):
            for cut, part in list(hostile_files.cut(content))[:: max(1, 20 // max(1, self.options.cuts))]:
                self.add(f"{name}-{cut}", extension, part, None, (("frontOnly", "backOnly")[number % 2],))
            for flip, damaged in hostile_files.flipped(content, flips, self.rng, 600):
                self.add(f"{name}-{flip}", extension, damaged, None, (("backOnly", "frontOnly")[number % 2],))

    def run(self, name, *more):
        with open(os.path.join(self.path, "manifest.csv"), "w") as manifest:
            manifest.write("id,front,back,identityNumber,scanMode\n" + "\n".join(self.rows) + "\n")
        out = os.path.join(self.work, name + "-out")
        result = subprocess.run([self.options.cnicscan, "run", "--manifest", os.path.join(self.path, "manifest.csv"), "--output", out, *more],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if result.returncode not in (0, 3):
            self.faults.append(f"{name}: status {result.returncode}: {result.stderr[-300:]}")
            return
        outcomes, reasons, crashes, limits, found = {}, {}, [], [], []
        with open(os.path.join(out, "latest", "results.ndjson")) as file:
            for line in file:
                record = json.loads(line)
                found.append(record["id"])
                outcomes[record["outcome"]] = outcomes.get(record["outcome"], 0) + 1
                for reason in record["reasons"]:
                    reasons[reason] = reasons.get(reason, 0) + 1
                if "workerCrashed" in record["reasons"]:
                    crashes.append(record["id"])
                if set(record["reasons"]) & LIMITS:
                    limits.append(f"{record['id']}: {record['reasons'][0]}")
                allowed = self.allowed[record["id"]]
                if allowed and (record["outcome"] != "failed" or not set(record["reasons"]) <= allowed):
                    self.faults.append(f"{record['id']}: {record['outcome']} {record['reasons']}, not {sorted(allowed)}")
                if "root:x:0" in line:
                    self.faults.append(f"{record['id']}: a file of the system was read")
        if found != list(self.allowed):
            self.faults.append(f"{name}: {len(found)} records for {len(self.allowed)} pairs")
        if len(crashes) * 100 > len(found):
            self.faults.append(f"{name}: {len(crashes)} crashes")
        left = [file for folder, _, files in os.walk(out) for file in files if file.endswith((".tmp", ".new"))]
        if left:
            self.faults.append(f"{name}: left over {left[:3]}")
        self.counts[name] = {"pairs": len(found), "outcomes": outcomes, "reasons": reasons, "crashes": crashes, "limits": limits}

    def finish(self):
        if self.listener.calls:
            self.faults.append(f"{self.listener.calls} calls to the network")
        if os.path.exists(self.canary):
            self.faults.append("a command was executed")
        shutil.rmtree(self.work, ignore_errors=True)
        print(json.dumps({"test": "hostile", **self.counts, "faults": self.faults}))
        sys.exit(1 if self.faults else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cnicscan")
    parser.add_argument("fixtures")
    parser.add_argument("--flips", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=20)
    hostile = Hostile(parser.parse_args())
    flips = hostile.options.flips // 11

    hostile.folder("images")
    for name, extension, content, allowed in hostile_files.kinds(hostile.images[0], hostile.rng):
        hostile.add(name, extension, content, allowed)
        # With a sound other side it is a record of its own too.
        hostile.row(f"{name}.front", f"{name}.{extension}", "front", None)
    for number, name in enumerate(NAMES):
        name = name.replace("CANARY", hostile.canary).replace("PORT", str(hostile.listener.port))
        hostile.row(f"name{number}", name, "backOnly", {"fileMissing", "notARegularFile", "pathOutsideInput", "invalidRequest"})
    hostile.damage(hostile_files.whole_files(hostile.images[1]), flips)
    hostile.run("images")

    hostile.folder("documents")
    for name, extension, content, allowed in hostile_files.pdf_kinds(hostile.images[0]):
        hostile.add(name, extension, content, allowed)
    hostile.damage([("pdf", "pdf", hostile_files.saved(hostile.images[1], "PDF", resolution=300.0))], flips)
    hostile.run("documents", "--allow-pdf")
    hostile.finish()


main()
