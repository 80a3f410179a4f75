"""What the torture scripts share: inputs, runs of the harness, and the reading of an output."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STUB = ["/usr/bin/python3", os.path.join(HERE, "stub_worker.py")]
FILES = ["results.ndjson", "events.ndjson", "rescan.csv"]


class Work:
    """A folder of one script's own, and the faults found."""

    def __init__(self, name, harness):
        self.name, self.harness = name, harness
        self.path = tempfile.mkdtemp(prefix=f"cnicscan-{name}-")
        self.faults = []
        self.counts = {}

    def sub(self, *parts):
        return os.path.join(self.path, *parts)

    def make_input(self, pairs, kind="images-slow", folder="in"):
        os.makedirs(self.sub(folder), exist_ok=True)
        with open(self.sub(folder, "manifest.csv"), "w") as manifest:
            manifest.write("id,front,back,identityNumber\n")
            for index in range(pairs):
                for side in ("front", "back"):
                    with open(self.sub(folder, f"{index}_{side}.png"), "w") as file:
                        file.write(f"{side} {index} " + "x" * (index * 37 % 3000))
                manifest.write(f"p{index}-{kind},{index}_front.png,{index}_back.png,1234512345671\n")

    def command(self, out, *options, source=None, worker=None):
        source = source or ["--manifest", self.sub("in", "manifest.csv")]
        return [self.harness, *source, "--output", out, "--jobs", "2", *options, "--", *(worker or STUB)]

    def environment(self, **more):
        return {**os.environ, "STUB_SLOW": "0.005", "STUB_STATE": self.path, **more}

    def run(self, out, *options, source=None, worker=None, **more):
        return subprocess.run(self.command(out, *options, source=source, worker=worker), env=self.environment(**more),
                              capture_output=True, text=True, timeout=300)

    def read(self, out):
        """The newest run's files, without the folder that they stand in."""
        return {name: open(os.path.join(out, "latest", name), "rb").read().replace(os.path.abspath(out).encode(), b"OUT")
                for name in FILES}

    def newest(self, out):
        """The newest line of every pair, by the ledger."""
        ledger = sqlite3.connect(os.path.join(out, "ledger.sqlite"))
        folders = dict(ledger.execute("SELECT number, folder FROM runs"))
        lines = {}
        for key, run, start, end in ledger.execute("SELECT key, run, resultsStart, resultsEnd FROM pairs"):
            with open(os.path.join(out, "runs", folders[run], "results.ndjson"), "rb") as file:
                file.seek(start)
                line = file.read(end - start)
            assert json.loads(line) and line.endswith(b"\n")
            lines[key] = line.replace(os.path.abspath(out).encode(), b"OUT")
        ledger.close()
        return lines

    def leftovers(self, out):
        return [name for _, _, names in os.walk(out) for name in names if name.endswith((".tmp", ".new", ".purged"))]

    def fault(self, text):
        self.faults.append(text)

    def finish(self):
        shutil.rmtree(self.path, ignore_errors=True)
        print(json.dumps({"test": self.name, **self.counts, "faults": self.faults[:10], "faultCount": len(self.faults)}), flush=True)
        sys.exit(1 if self.faults else 0)
