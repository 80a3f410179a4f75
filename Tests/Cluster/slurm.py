#!/usr/bin/env python3
"""Runs pipelines/slurm on a real Slurm of two nodes, hurts it, and holds the merged output against one machine's: `make test-slurm`.

usage: slurm.py CNICSCAN WORK [--keep]

munged, slurmctld and two slurmd are started by hand on 127.0.0.1, as whoever runs this, and ended by their ids. An array job of eight
shards scans 200 pairs, of which one crashes its worker every time. Meanwhile a worker is killed; a task's own program is killed; a
slurmd is killed whose task lives on as an orphan, stands still until another node has done its shard, and then finishes as well.
Prints one JSON line; exit status 1 and a sentence where a promise was not kept."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from cluster import (PAIRS, Failure, Processes, demand, descendants, differing, end_all, images, make_pairs,
                     make_poison_layer, one_machine, options_of, ours, programs, read_output, wait_for)

HERE = os.path.dirname(os.path.abspath(__file__))
SLURM = os.path.join(HERE, "..", "..", "pipelines", "slurm")
SHARDS = 8
os.environ["PATH"] += ":/usr/sbin:/sbin"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    def __init__(self, folder, marker):
        self.folder = folder
        for name in ("state", "spool", "munge"):
            os.makedirs(os.path.join(folder, name), mode=0o755)
        control, *self.ports = free_ports(3)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        # A requeued task waits until credentials of its first try have expired; two minutes by default.
        text = f"""
ClusterName=cnicscan
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={control}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
RequeueExit=75
ReturnToService=2
SlurmdTimeout=6
InactiveLimit=0
KillWait=5
MinJobAge=3600
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={self.ports[0]} CPUs=1 RealMemory=4000
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={self.ports[1]} CPUs=1 RealMemory=4000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""
        self.configuration = os.path.join(folder, "slurm.conf")
        with open(self.configuration, "w") as file:
            file.write(text)
        self.environment = dict(os.environ, SLURM_CONF=self.configuration, CNICSCAN_CLUSTER_TEST=marker)
        for name in ("SLURM_ARRAY_TASK_ID", "SLURM_JOB_ID"):
            self.environment.pop(name, None)

    def start(self, processes):
        key = os.path.join(self.folder, "munge", "key")
        with open(key, "wb") as file:
            file.write(os.urandom(128))
        os.chmod(key, 0o400)
        path = os.path.join(self.folder, "munge", "")
        processes.start("munged", [
            "munged", "--foreground", "--force", f"--socket={path}socket", f"--key-file={key}", f"--pid-file={path}pid",
            f"--log-file={path}log", f"--seed-file={path}seed", "--num-threads=2"], self.environment)
        wait_for("munged", lambda: os.path.exists(path + "socket"), 20)
        processes.start("slurmctld", ["slurmctld", "-D", "-i", "-f", self.configuration], self.environment)
        self.processes = processes
        self.nodes = {name: self.start_node(name) for name in ("n1", "n2")}
        wait_for("both nodes", lambda: self.states() == {"n1": "idle", "n2": "idle"}, 60)

    def start_node(self, name):
        return self.processes.start(f"slurmd-{name}", ["slurmd", "-D", "-N", name, "-f", self.configuration], self.environment)

    def run(self, *command, **more):
        return subprocess.run(command, env=dict(self.environment, **more.pop("env", {})), capture_output=True, text=True, **more)

    def states(self):
        done = self.run("sinfo", "--noheader", "--Node", "--format=%N %t")
        return dict(line.split() for line in done.stdout.splitlines())

    def tasks(self, job):
        """Array index -> what scontrol says of the task; {} while slurmctld cannot answer."""
        found = {}
        for record in self.run("scontrol", "--oneliner", "show", "job", job).stdout.splitlines():
            words = dict(word.split("=", 1) for word in record.split() if "=" in word)
            if words.get("ArrayTaskId", "").isdigit():
                found[int(words["ArrayTaskId"])] = words
        return found

    def submit(self, *words, **env):
        done = self.run("sbatch", "--parsable", *words, env=env)
        demand(done.returncode == 0, f"sbatch takes the job: {done.stderr.strip()}")
        return done.stdout.strip()


class Trial:
    def __init__(self, binary, work, marker):
        self.binary, self.work, self.marker = binary, work, marker
        self.out = os.path.join(work, "out")
        self.shards = os.path.join(self.out, "shards")

    def supervisors(self, node):
        """A task's own process leaves its slurmd's tree; its environment says where it belongs."""
        return programs(ours("CNICSCAN_CLUSTER_TEST=" + self.marker, "SLURMD_NODENAME=" + node), self.binary, "run")

    def attempt(self, supervisor):
        """The attempt's folder in which a supervisor works: the --images folder of its workers."""
        for worker in programs(descendants(supervisor), self.binary, "worker"):
            with open(f"/proc/{worker}/cmdline", "rb") as file:
                words = file.read().decode().split("\0")
            return os.path.dirname(words[words.index("--images") + 1])
        return None

    def busy(self, node, avoiding=()):
        """A supervisor on a node that is in the midst of its shard, with its worker: some images are there already."""
        for supervisor in self.supervisors(node):
            if supervisor in avoiding:
                continue
            folder = self.attempt(supervisor)
            workers = programs(descendants(supervisor), self.binary, "worker")
            if folder and workers and len(os.listdir(os.path.join(folder, "images"))) >= 4:
                return supervisor, workers[0], os.path.basename(folder).split(".")[0]
        return None

    def hurt(self, slurm, job):
        told = {}
        supervisor, worker, shard = wait_for("a busy task on n1", lambda: self.busy("n1"), 90)
        os.kill(worker, signal.SIGKILL)
        told["workerKilledInShard"] = int(shard)

        victim, _, shard = wait_for("another busy task on n1", lambda: self.busy("n1", [supervisor]), 120)
        os.kill(victim, signal.SIGKILL)
        told["programKilledInShard"] = killed = int(shard)

        orphan, _, shard = wait_for("a busy task on n2", lambda: self.busy("n2"), 120)
        lost = int(shard)
        # The node is lost, its task is not: it stands still, as one whose storage hangs, and is let go when its shard is done elsewhere.
        standing = [orphan] + descendants(orphan)
        for pid in standing:
            os.kill(pid, signal.SIGSTOP)
        slurm.nodes["n2"].kill()
        told["slurmdKilledInShard"] = lost
        demand(killed != lost, "three shards are hurt")
        wait_for("the lost node's shard, done by the other node", lambda: os.path.islink(os.path.join(self.shards, str(lost))), 240)
        demand(os.path.exists(f"/proc/{orphan}"), "the orphan is alive when its shard is published by another")
        demand(len([n for n in os.listdir(self.shards) if n.startswith(f"{lost}.attempt-")]) == 2, "two writers, two folders")
        for pid in reversed(standing):
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
        wait_for("the orphan's end", lambda: not os.path.exists(f"/proc/{orphan}"), 120)
        slurm.nodes["n2"].wait()
        slurm.nodes["n2"] = slurm.start_node("n2")

        def done():
            tasks = slurm.tasks(job)
            return tasks if len(tasks) == SHARDS and all(t["JobState"] in ("COMPLETED", "FAILED") for t in tasks.values()) else None
        tasks = wait_for("the array's end", done, 240)
        demand(all(t["JobState"] == "COMPLETED" for t in tasks.values()),
               f"every task completes: { {n: t['JobState'] + ' ' + t['ExitCode'] for n, t in tasks.items()} }")
        told["restarts"] = {n: int(t["Restarts"]) for n, t in sorted(tasks.items()) if int(t["Restarts"])}
        demand(killed in told["restarts"] and lost in told["restarts"], f"both hurt tasks were requeued: {told['restarts']}")
        demand(len(told["restarts"]) <= 3, "and few others")
        return told


def main():
    options = options_of(__doc__)
    binary, work = options.binary, options.work
    marker = f"slurm-{os.getpid()}"
    scratch = os.path.join(work, "slurm")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    trial = Trial(binary, work, marker)
    shutil.rmtree(trial.out, ignore_errors=True)
    shutil.rmtree(os.path.join(work, "pairs"), ignore_errors=True)
    start = time.monotonic()
    processes = Processes(os.path.join(scratch, "logs"))
    try:
        manifest = make_pairs(os.path.join(work, "pairs"))
        poison = {"CNICSCAN_WORKER_PRELOAD": make_poison_layer(work)}
        wanted, outcomes, one = one_machine(binary, manifest, os.path.join(work, "out", "merged"), work, dict(os.environ, **poison))
        slurm = Slurm(scratch, marker)
        slurm.start(processes)
        begun = time.monotonic()
        job = slurm.submit(
            f"--array=0-{SHARDS - 1}", "--cpus-per-task=1", f"--output={scratch}/task-%a.log",
            os.path.join(SLURM, "backfill.sbatch"), manifest, trial.out, CNICSCAN=binary, **poison)
        told = trial.hurt(slurm, job)
        seconds = time.monotonic() - begun

        links = sorted(int(n) for n in os.listdir(trial.shards) if os.path.islink(os.path.join(trial.shards, n)))
        demand(links == list(range(SHARDS)), f"every shard is published, once: {links}")
        left = [n for n in os.listdir(trial.shards) if ".attempt-" in n]
        demand(len(left) == SHARDS, f"the orphan took its own attempt away: {sorted(left)}")
        gap = [os.path.join(trial.shards, str(n)) for n in range(1, SHARDS)]
        demand(subprocess.run([binary, "merge", os.path.join(trial.out, "merged"), *gap], capture_output=True).returncode == 66,
               "merge refuses a gap")
        merge = slurm.submit("--wait", f"--output={scratch}/merge.log", os.path.join(SLURM, "merge.sbatch"), trial.out, CNICSCAN=binary)
        got = read_output(os.path.join(trial.out, "merged"))
        different = differing(wanted, got)
        demand(not different, f"the merged output is one machine's, byte for byte; differing: {', '.join(different)}")
        ids = [json.loads(line)["id"] for line in got["results.ndjson"].splitlines()]
        demand(len(ids) == PAIRS == len(set(ids)), "every pair once")
        named = set(images(os.path.join(trial.out, "merged")))
        demand(all(name in got["events.ndjson"].decode() for name in named), "no image without its pair")
        print(json.dumps({
            "engine": slurm.run("slurmctld", "-V").stdout.strip(), "pairs": PAIRS, "shards": SHARDS, "outcomes": outcomes, **told,
            "mergeJob": merge, "oneMachineSeconds": round(one, 1), "arraySeconds": round(seconds, 1),
            "allSeconds": round(time.monotonic() - start, 1)}))
    except Failure as failure:
        print(f"test-slurm: {failure} (logs: {scratch})", file=sys.stderr)
        options.keep = True
        return 1
    finally:
        processes.end()
        end_all("CNICSCAN_CLUSTER_TEST=" + marker)
        if not options.keep:
            shutil.rmtree(scratch, ignore_errors=True)
            shutil.rmtree(trial.out, ignore_errors=True)
    demand(not ours("CNICSCAN_CLUSTER_TEST=" + marker), "nothing is left running")
    return 0


if __name__ == "__main__":
    sys.exit(main())
