"""Runs a command and watches its process tree: CPU seconds, wall seconds, and what the supervisor and its workers hold in memory."""

import os
import resource
import subprocess
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")


def _status(pid, key):
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(key + ":"):
                    return int(line.split()[1])
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


def _children(pid):
    """Of all its threads: a child belongs to the one that started it."""
    children = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                children += [int(p) for p in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        pass
    return children


def _own_cpu(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            parts = file.read().rsplit(")", 1)[1].split()
        return (int(parts[11]) + int(parts[12])) / TICK
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


class Watched:
    """`cpu` and `wall` in seconds; peaks in megabytes of resident memory; `supervisorCPU` without its workers'."""

    def __init__(self, command, interval=.03):
        self.worker_peak = self.supervisor_peak = self.supervisor_cpu = 0.0
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        stop = threading.Event()

        def sample():
            while not stop.wait(interval):
                self.supervisor_peak = max(self.supervisor_peak, _status(process.pid, "VmHWM") / 1024)
                self.supervisor_cpu = max(self.supervisor_cpu, _own_cpu(process.pid))
                for child in _children(process.pid):
                    self.worker_peak = max(self.worker_peak, _status(child, "VmHWM") / 1024)

        thread = threading.Thread(target=sample)
        thread.start()
        self.status = process.wait()
        stop.set()
        thread.join()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.wall = time.monotonic() - start
        self.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
