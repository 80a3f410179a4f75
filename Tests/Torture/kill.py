#!/usr/bin/env python3
"""Kills supervisors and workers at random moments and holds the final results against an undisturbed run.

usage: kill.py HARNESS [--supervisors 100] [--workers 100] [--seed N]
Prints one JSON line; exit status 1 where anything was lost, doubled, torn, left over or left running.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STUB = ["/usr/bin/python3", os.path.join(HERE, "stub_worker.py")]
FILES = ["results.ndjson", "events.ndjson", "rescan.csv"]


def make_input(folder, pairs):
    os.makedirs(folder)
    with open(os.path.join(folder, "manifest.csv"), "w") as manifest:
        manifest.write("id,front,back,identityNumber\n")
        for index in range(pairs):
            kind = "images-slow" if index % 3 else "rescan-slow"
            identifier = f"p{index}-{kind}"
            for side in ("front", "back"):
                with open(os.path.join(folder, f"{index}_{side}.png"), "w") as file:
                    file.write(f"{side} {index} " + "x" * (index * 37 % 5000))
            manifest.write(f"{identifier},{index}_front.png,{index}_back.png,1234512345671\n")


def children(pid):
    """Processes whose parent is `pid`."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                        found.append(int(name))
            except (OSError, IndexError):
                pass
    return found


def alive(marker):
    """Processes started with our marker in their environment."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if marker.encode() in file.read():
                        found.append(int(name))
            except OSError:
                pass
    return found


def read(out):
    latest = os.path.join(out, "latest")
    return {name: open(os.path.join(latest, name), "rb").read().replace(os.path.abspath(out).encode(), b"OUT")
            for name in FILES}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("harness")
    parser.add_argument("--supervisors", type=int, default=100)
    parser.add_argument("--workers", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=120)
    parser.add_argument("--seed", type=int, default=71)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    work = tempfile.mkdtemp(prefix="cnicscan-kill-")
    marker = f"STUB_MARKER={os.path.basename(work)}"
    environment = dict(os.environ, STUB_SLOW="0.01", STUB_MARKER=os.path.basename(work), STUB_STATE=work)
    faults, runs, killed = [], 0, {"supervisors": 0, "workers": 0}
    make_input(os.path.join(work, "in"), options.pairs)

    def command(out):
        return [options.harness, "--manifest", os.path.join(work, "in", "manifest.csv"), "--output", out,
                "--jobs", "2", "--greeting", "--", *STUB]

    def finish(out, round_number):
        result = subprocess.run(command(out), env=environment, capture_output=True, text=True)
        if result.returncode != 0:
            faults.append(f"round {round_number}: exit status {result.returncode}: {result.stdout} {result.stderr}")
            return
        if read(out) != expected:
            faults.append(f"round {round_number}: the results differ")
        names = set(os.listdir(os.path.join(out, "images")))
        if names != expected_images:
            faults.append(f"round {round_number}: images left over {len(names - expected_images)}, missing {len(expected_images - names)}")
        rest = [name for _, _, names in os.walk(out) for name in names if name.endswith((".tmp", ".new"))]
        if rest:
            faults.append(f"round {round_number}: temporary files are left: {rest[:3]}")

    undisturbed = os.path.join(work, "undisturbed")
    start = time.time()
    subprocess.run(command(undisturbed), env=environment, check=True, capture_output=True)
    length = time.time() - start
    expected = read(undisturbed)
    expected_images = set(os.listdir(os.path.join(undisturbed, "images")))
    lines = [json.loads(line)["id"] for line in expected["results.ndjson"].splitlines()]
    assert len(lines) == len(set(lines)) == options.pairs

    # Several kills a round: each kill is followed by a resume, the last one runs to its end.
    while killed["supervisors"] < options.supervisors:
        runs += 1
        out = os.path.join(work, f"s{runs}")
        for _ in range(min(5, options.supervisors - killed["supervisors"])):
            process = subprocess.Popen(command(out), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                output, errors = process.communicate(timeout=rng.uniform(0, length * 0.7))
                if process.returncode not in (0, -9):
                    faults.append(f"round {runs}: exit status {process.returncode}: {output} {errors}")
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            killed["supervisors"] += 1
        deadline = time.time() + 2
        while alive(marker) and time.time() < deadline:
            time.sleep(0.02)
        if alive(marker):
            faults.append(f"round {runs}: workers outlive their supervisor")
        finish(out, runs)
        shutil.rmtree(out)

    while killed["workers"] < options.workers:
        runs += 1
        out = os.path.join(work, f"w{runs}")
        process = subprocess.Popen(command(out), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # One kill at most for each stretch of two pairs' time, so that no pair is hit at both of its attempts by us.
        for _ in range(min(10, options.workers - killed["workers"])):
            time.sleep(rng.uniform(0.1, 0.2))
            victims = children(process.pid)
            if process.poll() is not None:
                break
            if victims:
                try:
                    os.kill(rng.choice(victims), signal.SIGKILL)
                    killed["workers"] += 1
                except ProcessLookupError:
                    pass
        output, errors = process.communicate()
        if process.returncode == 75:  # three of our kills in a row hit workers that were starting: it says so, and is resumed
            output = subprocess.run(command(out), env=environment, capture_output=True, text=True).stdout
        elif process.returncode not in (0, 3):
            faults.append(f"round {runs}: exit status {process.returncode}: {output} {errors}")
        if process.returncode == 3:  # a pair was hit twice: --retry-failed is for that, here the ledger is asked to forget
            shutil.rmtree(out)
            continue
        finish(out, runs) if process.returncode == 0 and json.loads(output)["done"] < options.pairs else None
        if read(out) != expected:
            faults.append(f"round {runs}: the results differ after killed workers")
        shutil.rmtree(out)
    if alive(marker):
        faults.append("processes are left running")
    shutil.rmtree(work)
    print(json.dumps({"test": "kill", "rounds": runs, **killed, "faults": faults[:10]}))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
