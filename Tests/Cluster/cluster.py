"""What both cluster tests need: 200 real pairs, a pair that crashes its worker, one machine's results, and processes that are
started, found and ended by their ids."""

import argparse
import csv
import hashlib
import json
import os
import shutil
import signal
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "..", "..", "Fixtures")
PAIRS = 200
POISON = "pair-101"
# These say when and how fast, not what: they differ from run to run on one machine, too.
TIMES = ["pairsPerSecond", "seconds", "stages", "throughput", "workersReplaced"]


class Failure(Exception):
    """A promise that was not kept."""


def demand(kept, promise):
    if not kept:
        raise Failure(promise)


def wait_for(what, condition, seconds):
    """Polls; gives the condition's value once it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(.1)
    raise Failure(f"{what}: not within {seconds} s")


def options_of(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.realpath)
    parser.add_argument("work", type=os.path.abspath)
    parser.add_argument("--keep", action="store_true", help="leaves the work folder for a look")
    return parser.parse_args()


# MARK: Processes

class Processes:
    """Starts daemons and ends each by its id, the last first."""

    def __init__(self, logs):
        self.logs, self.running = logs, []
        os.makedirs(logs, exist_ok=True)

    def start(self, name, command, env=None):
        with open(os.path.join(self.logs, name + ".log"), "ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env, start_new_session=True)
        self.running.append(process)
        return process

    def end(self):
        for process in reversed(self.running):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def stat(pid):
    """(parent, state) of a process, or None."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return int(words[1]), words[0]
    except (OSError, IndexError):
        return None


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [word.decode(errors="replace") for word in file.read().split(b"\0")[:-1]]
    except OSError:
        return []


def ours(*markers):
    """Living processes with these words in their environment: all that this test brought about, and nothing else."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    words = file.read().split(b"\0")
                    if all(marker.encode() in words for marker in markers) and (stat(name) or (0, "Z"))[1] != "Z":
                        found.append(int(name))
            except OSError:
                pass
    return found


def descendants(pid):
    parents = {int(name): stat(name) for name in os.listdir("/proc") if name.isdigit()}
    found, new = [], [pid]
    while new:
        new = [child for child, info in parents.items() if info and info[0] in new]
        found += new
    return found


def programs(pids, binary, *words):
    """Those of the processes that run our binary with these words among its arguments."""
    return [pid for pid in pids if (line := command_line(pid)) and line[0] == binary and all(word in line for word in words)]


def end_all(marker):
    """Ends whatever still carries our marker, each by its id."""
    for _ in range(50):
        left = ours(marker)
        if not left:
            return
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(.1)


# MARK: Input and truth

def make_pairs(folder):
    """The specimens of Fixtures over and over, each file with bytes of its own after its image's end; one pair is poison."""
    os.makedirs(folder)
    with open(os.path.join(FIXTURES, "manifest.csv"), newline="") as file:
        specimens = list(csv.DictReader(file))
    # Clean and scanned ones more often than photos, and backs alone more often than what takes long: this tests engines, not reading.
    quick = [row for row in specimens if row["id"].startswith(("clean", "scan"))]
    order = [specimens[n % len(specimens)] if n % 7 == 0 else quick[n % len(quick)] for n in range(PAIRS)]
    with open(os.path.join(folder, "manifest.csv"), "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["id", "front", "back", "identityNumber", "scanMode"])
        for number, row in enumerate(order):
            identifier = f"pair-{number}"
            names = []
            for side in ("front", "back"):
                name = f"{'poison' if identifier == POISON else 'card'}-{number}_{side}{os.path.splitext(row[side])[1]}"
                with open(os.path.join(FIXTURES, row[side]), "rb") as source, open(os.path.join(folder, name), "wb") as target:
                    target.write(source.read() + f"\n{identifier} {side}\n".encode())
                names.append(name)
            mode = ["frontAndBack", "backOnly", "backOnly", "frontOnly", "backOnly"][number % 5]
            cells = {"frontOnly": [names[0], ""], "backOnly": ["", names[1]]}.get(mode, names)
            table.writerow([identifier, *cells, row["identityNumber"], mode])
    return os.path.join(folder, "manifest.csv")


def make_poison_layer(folder):
    library = os.path.join(folder, "poison_layer.so")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, os.path.join(HERE, "poison_layer.c")], check=True)
    return library


FILES = ["results.ndjson", "events.ndjson", "rescan.csv"]


def read_output(out):
    """The bytes of a run's files, and its summary without its times."""
    files = {}
    for name in FILES:
        with open(os.path.join(out, "latest", name), "rb") as file:
            files[name] = file.read()
    with open(os.path.join(out, "latest", "summary.json")) as file:
        summary = json.load(file)
    files["summary.json"] = json.dumps({k: v for k, v in summary.items() if k not in TIMES}, sort_keys=True).encode()
    return files


def one_machine(binary, manifest, out, cache, env):
    """What one machine makes of the pairs in `out`, which is taken away again. Kept in `cache` for the other test, under a name that
    holds the program, the input and the place: anything else changed, and it is made again."""
    digest = hashlib.sha256(out.encode())
    cards = sorted(os.path.join(os.path.dirname(manifest), name) for name in os.listdir(os.path.dirname(manifest)))
    for path in [binary, os.path.join(HERE, "poison_layer.c"), *cards]:
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    kept = os.path.join(cache, "one-machine-" + digest.hexdigest()[:16])
    start = time.monotonic()
    if not os.path.exists(kept):
        status = subprocess.run([binary, "run", "--manifest", manifest, "--output", out, "--quiet"], env=env).returncode
        demand(status == 3, f"one machine's run ends with 3, not {status}: all done, one pair failed")
        shutil.move(out, kept)
    files = read_output(kept)
    results = [json.loads(line) for line in files["results.ndjson"].splitlines()]
    failed = [(r["id"], r["reasons"]) for r in results if r["outcome"] == "failed"]
    demand(failed == [(POISON, ["workerCrashed"])], f"the poison pair alone fails, by its crash: {failed}")
    outcomes = {}
    for result in results:
        outcomes[result["outcome"]] = outcomes.get(result["outcome"], 0) + 1
    demand(len(results) == PAIRS and outcomes.get("matched", 0) > PAIRS / 4, f"most pairs are read: {outcomes}")
    return files, outcomes, time.monotonic() - start


def differing(wanted, got):
    """The names of what differs, with the first differing line."""
    words = []
    for name in wanted:
        if wanted[name] != got[name]:
            pairs = zip(wanted[name].splitlines(), got[name].splitlines())
            place = next((n for n, (a, b) in enumerate(pairs) if a != b), min(map(len, (wanted[name], got[name]))))
            words.append(f"{name} (first in line {place + 1})")
    return words


def images(out):
    return sorted(os.listdir(os.path.join(out, "images")))
