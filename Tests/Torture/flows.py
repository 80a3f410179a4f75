#!/usr/bin/env python3
"""The real command from end to end over known persons: only a new back is read again, and no identity shows where none may stand.

usage: flows.py CNICSCAN FIXTURES     (needs Pillow: Support/requirements-test.txt)

Every word that the commands say on standard error, every log, summary, metrics file, process title, environment and name of a
temporary file is searched for each person's numbers, names and dates.
"""
import argparse
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from PIL import Image, ImageDraw

PAIRS = ["clean-201-00002", "clean-201-00004", "clean-201-00003", "scan-202-00001"]
# What may be read by others than those who may read the results.
PUBLIC = ("log.ndjson", "summary.json", "audit.ndjson", "shard.json", "metrics.prom", "heartbeat")


class Watch(threading.Thread):
    """Looks at this test's processes and at the names of files while the commands run."""

    def __init__(self, flows):
        super().__init__(daemon=True)
        self.flows, self.seen, self.cores, self.isOver = flows, set(), set(), False

    def run(self):
        while not self.isOver:
            for name in os.listdir("/proc"):
                if name.isdigit():
                    self.look(name)
            for folder, folders, names in os.walk(self.flows.work):
                if not folder.startswith(self.flows.sub("in")):
                    self.seen.update(folders + names)
            time.sleep(0.05)

    def look(self, pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                title = file.read()
            if self.flows.options.cnicscan.encode() not in title or any(word in title.split(b"\0") for word in (b"purge", b"decode", b"scan")):
                return  # what a person types into a command line is that person's
            texts = [title]
            for part in ("comm", "environ"):
                with open(f"/proc/{pid}/{part}", "rb") as file:
                    texts.append(file.read())
            self.seen.update(text.decode("utf-8", "replace") for text in texts)
            if b"worker" in title:
                with open(f"/proc/{pid}/limits") as file:
                    self.cores.update(line.split()[4] for line in file if line.startswith("Max core file size"))
        except (OSError, IndexError):
            pass


class Flows:
    def __init__(self, options):
        self.options, self.faults, self.said, self.counts = options, [], [], {}
        self.work = tempfile.mkdtemp(prefix="cnicscan-flows-")
        rows = {row["id"]: row for row in csv.DictReader(open(os.path.join(options.fixtures, "manifest.csv")))}
        truths = {truth["id"]: truth for truth in map(json.loads, open(os.path.join(options.fixtures, "truth.ndjson")))}
        self.persons = [(rows[pair], truths[pair]) for pair in PAIRS]
        self.secrets = set()
        os.makedirs(self.sub("in"))
        for row, truth in self.persons:
            number = row["identityNumber"].replace("-", "")
            words = [number, row["identityNumber"], truth["barcodeNumber"] or number, *truth["extractedData"].values()]
            # A gender's letter and a country are nobody's secret.
            self.secrets.update(word for word in words if word and len(word) > 9)
            for side in ("front", "back"):
                shutil.copy(os.path.join(options.fixtures, row[side]), self.sub("in", f"{number}_{side}.jpg"))

    def sub(self, *parts):
        return os.path.join(self.work, *parts)

    def number(self, index):
        return self.persons[index][0]["identityNumber"].replace("-", "")

    def fault(self, text):
        self.faults.append(text)

    def say(self, *arguments, status=(0,), data=False):
        """Runs a command; what it says is kept for the search, its standard output too unless that is where data belong."""
        result = subprocess.run([self.options.cnicscan, *arguments], cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.said.append((" ".join(arguments[:2]), result.stderr + ("" if data else result.stdout)))
        if result.returncode not in status:
            self.fault(f"{arguments[0]}: status {result.returncode}: {result.stderr[-300:]}")
        return result

    def records(self, out):
        return {record["id"]: record for record in map(json.loads, open(self.sub(out, "latest", "results.ndjson")))}

    def stages(self, out):
        return {line["id"]: set(line["stages"]) for line in map(json.loads, open(self.sub(out, "latest", "timings.ndjson")))}

    def hide_barcode(self, index):
        """Paints a back's barcode over, keeping the good one."""
        path, (_, truth) = self.sub("in", f"{self.number(index)}_back.jpg"), self.persons[index]
        os.makedirs(self.sub("new"), exist_ok=True)
        good = shutil.copy(path, self.sub("new", "back.jpg"))
        image = Image.open(path).convert("RGB")
        left, top, width, height = truth["back"]["barcodeBox"]
        box = [left * image.width - 6, top * image.height - 6, (left + width) * image.width + 6, (top + height) * image.height + 6]
        ImageDraw.Draw(image).rectangle(box, fill=(120, 130, 120))
        image.save(path, quality=90)
        return good

    def a_night(self):
        """A directory whose names are people's numbers; a broken file; a back to be scanned again."""
        good = self.hide_barcode(0)
        for side in ("front", "back"):
            with open(self.sub("in", f"4210100000017_{side}.jpg"), "wb") as file:
                file.write(b"\xff\xd8\xff" + b"4210100000017" * 99)
        with open(self.sub("in", "4210100000018_front.jpg"), "w") as file:  # belongs to no pair
            file.write("x")
        run = ["run", "--input", "in", "--output", "out", "--metrics", "metrics.prom", "--heartbeat", "heartbeat", "--seconds-per-pair", "600"]
        self.say(*run, "--dry-run")
        self.say(*run, "--summary", status=(3,))
        first, stages = self.records("out"), self.stages("out")
        if first[self.number(0)]["outcome"] != "rescanBack":
            self.fault(f"the hidden barcode: {first[self.number(0)]['outcome']}")
        for index in (1, 2, 3):
            if first[self.number(index)]["outcome"] != "matched":
                self.fault(f"person {index}: {first[self.number(index)]['outcome']} {first[self.number(index)]['reasons']}")
        if "recognise" not in stages[self.number(0)]:
            self.fault("the front was not read at first")
        self.say(*run, "--summary")
        with open(self.sub("out", "latest", "rescan.csv")) as file:
            rows = list(csv.DictReader(file))
        if [row["id"] for row in rows] != [self.number(0)]:
            self.fault(f"rescan.csv has {len(rows)} rows")
        rows[0]["back"] = good
        filled = self.sub("out", "latest", "rescan.csv")
        with open(filled, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        self.say("run", "--manifest", filled, "--output", "out", "--seconds-per-pair", "600")
        again, stages = self.records("out"), self.stages("out")
        if list(again) != [self.number(0)] or again[self.number(0)]["outcome"] != "matched":
            self.fault(f"the rescan: {[record['outcome'] for record in again.values()]}")
        elif "recognise" in stages[self.number(0)]:
            self.fault(f"the rescan read the front again: {sorted(stages[self.number(0)])}")
        # The same pair whole, in an output of its own, says the same.
        os.makedirs(self.sub("in2"))
        shutil.copy(self.sub("in", f"{self.number(0)}_front.jpg"), self.sub("in2"))
        shutil.copy(good, self.sub("in2", f"{self.number(0)}_back.jpg"))
        self.say("run", "--input", "in2", "--output", "out2", "--seconds-per-pair", "600")
        whole = self.records("out2")[self.number(0)].get("payload", {}).get("extractedData")
        if again.get(self.number(0), {}).get("payload", {}).get("extractedData") != whole:
            self.fault("the rescan's values differ from those of the whole pair")
        self.counts["rescan"] = 1

    def locales(self):
        """The same bytes whatever the machine's language is: a comma for decimals, digits and letters of Urdu."""
        made = self.sub("locales")
        os.makedirs(made)
        expected = None
        for name, source in (("C", None), ("de_DE.UTF-8", "de_DE"), ("ur_PK.UTF-8", "ur_PK")):
            if source:
                subprocess.run(["localedef", "-i", source, "-f", "UTF-8", os.path.join(made, name)], capture_output=True)
                if not os.path.isdir(os.path.join(made, name)):
                    self.fault(f"the locale {name} cannot be made: install the package locales")
            shutil.rmtree(self.sub("spoken"), ignore_errors=True)
            result = subprocess.run([self.options.cnicscan, "run", "--input", "in", "--output", "spoken", "--seconds-per-pair", "600"],
                                    cwd=self.work, env={**os.environ, "LC_ALL": name, "LANG": name, "LOCPATH": made}, capture_output=True, text=True)
            self.said.append((name, result.stderr + result.stdout))
            files = [open(self.sub("spoken", "latest", file), "rb").read() for file in ("results.ndjson", "events.ndjson", "rescan.csv")]
            if expected is not None and files != expected:
                self.fault(f"{name}: the bytes differ")
            expected = files
        self.counts["locales"] = 3

    def commands(self):
        self.say("check", "--output", "out")
        self.say("report", "out")
        self.say("review", "out", data=True)
        self.say("export", "out", data=True)
        self.say("decode", f"in/{self.number(1)}_back.jpg", "in/4210100000017_front.jpg", data=True, status=(0, 3))
        self.say("scan", "--front", f"in/{self.number(1)}_front.jpg", "--back", f"in/{self.number(1)}_back.jpg", "--identity-number",
                 self.number(1), "--images", "out2/images", data=True)
        for index in range(2):
            self.say("run", "--input", "in", "--output", f"s{index}", "--shard", f"{index}/2", status=(0, 3))
        self.say("merge", "merged", "s0", "s1", status=(0, 3))
        self.say("purge", "out", "--id", self.number(1))
        # Commands that fail say why without saying whom.
        with open(self.sub("bad.csv"), "w") as file:
            file.write(f"{self.number(0)},{self.number(0)}_front.jpg,x,{self.number(0)}\n")
        self.say("run", "--manifest", "bad.csv", "--output", "out3", status=(66,))
        with open(self.sub("names.csv"), "w") as file:
            file.write(f'id,front,back,identityNumber\n{self.number(0)},"in/{self.number(0)}_front.jpg,x,{self.number(0)}\n{self.number(1)},../{self.number(1)},x\n')
        self.say("run", "--manifest", "names.csv", "--output", "out3", status=(3,))
        with open(self.sub("numbers.csv"), "w") as file:
            file.write(f'id,identityNumber\n{self.number(0)},"{self.number(0)}\n')
        self.say("run", "--input", "in", "--identities", "numbers.csv", "--output", "out4", status=(66,))

    def held_and_stopped(self):
        """A second run on one output, and a run that is stopped."""
        command = [self.options.cnicscan, "run", "--input", "in", "--output", "out5", "--jobs", "1", "--seconds-per-pair", "600"]
        run = subprocess.Popen(command, cwd=self.work, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while not os.path.exists(self.sub("out5", ".lock")) or not os.path.getsize(self.sub("out5", ".lock")):
            time.sleep(0.01)
        start = time.time()
        second = self.say(*command[1:], status=(75,))
        if str(run.pid) not in second.stderr or time.time() - start > 5:
            self.fault(f"a second run: {second.stderr[-200:]} after {time.time() - start:.1f} s")
        run.send_signal(signal.SIGTERM)
        self.said.append(("stopped", "".join(run.communicate())))
        if run.returncode not in (0, 3, 75):
            self.fault(f"stopped: status {run.returncode}")
        self.say(*command[1:], status=(3,))

    def search(self, watch):
        texts = self.said + [("title or name", text) for text in watch.seen]
        logs = 0
        for folder, _, names in os.walk(self.work):
            if "in" in os.path.relpath(folder, self.work).split("/")[:1]:
                continue
            for name in names:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    continue
                if os.stat(path).st_mode & 0o077 and "/out" in path:
                    if name not in ("metrics.prom", "heartbeat"):
                        self.fault(f"{name} may be read by others")
                if name in PUBLIC:
                    logs += 1
                    texts.append((name, open(path, encoding="utf-8").read()))
                if name.startswith("core"):
                    self.fault("a core file")
        # Reports are for people who need no identity, unless --unmasked.
        for path in (self.sub("out", "latest", "report.html"), self.sub("merged", "latest", "report.html")):
            if os.path.exists(path):
                texts.append(("report.html", open(path, encoding="utf-8").read()))
        for where, text in texts:
            for number, secret in enumerate(sorted(self.secrets)):
                if secret.casefold() in text.casefold():
                    self.fault(f"identity {number} stands in: {where}")
        if watch.cores != {"0"}:
            self.fault(f"workers may leave core files: {watch.cores}")
        self.counts.update(identities=len(self.secrets), texts=len(texts), logs=logs, titlesAndNames=len(watch.seen))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cnicscan", type=os.path.abspath)
    parser.add_argument("fixtures", type=os.path.abspath)
    parser.add_argument("--keep", action="store_true", help="keeps the folder of the runs")
    flows = Flows(parser.parse_args())
    watch = Watch(flows)
    watch.start()
    flows.a_night()
    flows.commands()
    flows.held_and_stopped()
    flows.locales()
    watch.isOver = True
    watch.join()
    flows.search(watch)
    if not flows.options.keep:
        shutil.rmtree(flows.work)
    print(json.dumps({"test": "flows", **flows.counts, "faults": flows.faults[:20]}))
    sys.exit(1 if flows.faults else 0)


main()
