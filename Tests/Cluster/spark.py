#!/usr/bin/env python3
"""Runs pipelines/spark on a real Spark of two workers, hurts it, and holds its results against one machine's: `make test-spark`.

usage: spark.py CNICSCAN WORK [--keep]      with a Python that has pyspark

A standalone master and two workers (127.0.0.1 and 127.0.0.2) are started here and ended by their ids. The job scans 200 pairs, of
which one crashes its worker every time. Meanwhile a worker process is killed, the `cnicscan worker` of a task is killed, and a whole
executor is killed. Then, on a Spark within this process, what must fail the job does (an answer lost, doubled or strange), and Parquet holds the same.
Prints one JSON line; exit status 1 and a sentence where a promise was not kept."""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from cluster import (PAIRS, Failure, Processes, command_line, demand, descendants, differing, end_all, make_pairs,
                     make_poison_layer, one_machine, options_of, ours, programs, wait_for)

HERE = os.path.dirname(os.path.abspath(__file__))
BACKFILL = os.path.abspath(os.path.join(HERE, "..", "..", "pipelines", "spark"))
PER_TASK = 25
EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
sys.path.insert(0, BACKFILL)


class Spark:
    def __init__(self, folder, marker):
        import pyspark
        self.folder, self.home = folder, os.path.dirname(pyspark.__file__)
        self.version = pyspark.__version__
        self.environment = dict(os.environ, SPARK_HOME=self.home, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable,
                                PYSPARK_DRIVER_PYTHON=sys.executable, CNICSCAN_CLUSTER_TEST=marker, SPARK_LOCAL_DIRS=folder,
                                SPARK_WORKER_DIR=os.path.join(folder, "work"))

    def start(self, processes):
        launcher, logs = os.path.join(self.home, "bin", "spark-class"), processes.logs
        processes.start("master", [launcher, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0",
                                   "--webui-port", "0"], self.environment)

        def address():
            with open(os.path.join(logs, "master.log")) as file:
                found = [word for line in file for word in line.split() if word.startswith("spark://127.0.0.1:")]
            return found[0].rstrip(".,") if found else None
        self.master = wait_for("the master's address", address, 60)
        self.workers = []
        for host in ("127.0.0.1", "127.0.0.2"):
            self.workers.append(processes.start(f"worker-{host}", [
                launcher, "org.apache.spark.deploy.worker.Worker", "--host", host, "--port", "0", "--webui-port", "0", "--cores", "1",
                "--memory", "1g", self.master], dict(self.environment, SPARK_LOCAL_IP=host)))
        for host in ("127.0.0.1", "127.0.0.2"):
            def registered():
                with open(os.path.join(logs, f"worker-{host}.log")) as file:
                    return "Successfully registered" in file.read()
            wait_for(f"the worker of {host}", registered, 60)

    def executors(self):
        return [pid for worker in self.workers for pid in descendants(worker.pid) if EXECUTOR in command_line(pid)]


def supervisors(spark, binary):
    """The `cnicscan worker --jobs` of each task under way."""
    return [pid for executor in spark.executors() for pid in programs(descendants(executor), binary, "worker", "--jobs")]


def hurt(spark, binary, images, job):
    told = {}

    def workers():
        return [pid for parent in supervisors(spark, binary) for pid in programs(descendants(parent), binary, "worker")]

    def progress(count):
        def reached():
            demand(job.poll() is None, "the job goes on until it was hurt")
            return os.path.isdir(images) and len(os.listdir(images)) >= count
        return reached
    wait_for("the first images", progress(6), 120)
    os.kill(wait_for("a worker", workers, 60)[0], signal.SIGKILL)
    told["workerKilledAtImages"] = len(os.listdir(images))

    wait_for("more images", progress(40), 120)
    os.kill(wait_for("a task's own worker", lambda: supervisors(spark, binary), 60)[0], signal.SIGKILL)
    told["taskKilledAtImages"] = len(os.listdir(images))

    wait_for("more images", progress(90), 120)
    before = wait_for("both executors", lambda: len(spark.executors()) == 2 and spark.executors(), 60)
    os.kill(before[-1], signal.SIGKILL)
    told["executorKilledAtImages"] = len(os.listdir(images))
    wait_for("another executor", lambda: job.poll() is not None or set(spark.executors()) - set(before), 60)
    return told


def parts(folder):
    """The bytes of what Spark committed, in the order of its partitions."""
    demand(os.path.exists(os.path.join(folder, "_SUCCESS")), f"{os.path.basename(folder)} is committed")
    files = sorted(glob.glob(os.path.join(folder, "part-*")))
    return b"".join(open(name, "rb").read() for name in files), len(files)


def within_this_process(scratch, binary, whole, wanted_results):
    """On a Spark without a cluster, with the first 20 pairs: what may not pass for a complete job; and Parquet."""
    import backfill
    from pyspark.sql import SparkSession
    os.environ["PYTHONPATH"] = BACKFILL
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.default.parallelism": "2",
                "spark.driver.host": "127.0.0.1", "spark.local.dir": scratch}
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    manifest, per_task, count = os.path.join(os.path.dirname(whole), "first.csv"), 7, 20
    with open(whole) as source, open(manifest, "w") as target:
        rows = source.readlines()[:count + 1]
        target.writelines(rows)

    def fails(what, body):
        try:
            body()
        except SystemExit as error:
            demand(str(error).startswith("backfill: "), f"{what}: ends with a sentence")
            return
        raise Failure(f"{what}: must fail the job")
    wanted = backfill.requests(session, manifest, per_task).cache()
    demand(wanted.glom().map(len).collect() == [7, 7, 6], "--pairs-per-task sets the size of the partitions")
    order = [line.split(",")[0] for line in rows[1:]]
    demand(wanted.map(lambda line: json.loads(line)["id"]).collect() == order, "the manifest's order is kept")
    good = [(name, "matched", "") for name in order]

    def seen(answers):
        return session.sparkContext.parallelize(answers, 2)
    demand(backfill.reconcile(wanted, seen(good))["pairsOut"] == count, "ids in = ids out passes")
    fails("a lost answer", lambda: backfill.reconcile(wanted, seen(good[1:])))
    fails("a doubled answer", lambda: backfill.reconcile(wanted, seen(good + good[7:8])))
    fails("an answer to no question", lambda: backfill.reconcile(wanted, seen(good[1:] + [("stranger", "matched", "")])))
    fails("a full disk", lambda: backfill.reconcile(wanted, seen(good[1:] + [(order[0], "failed", "outputNotWritten")])))
    path = os.path.join(scratch, "doubled.csv")
    with open(path, "w") as target:
        target.writelines(rows + rows[1:2])
    fails("a doubled row", lambda: backfill.requests(session, path, per_task))

    # The same rows as NDJSON give the same lines; a path may hold a semicolon.
    path = os.path.join(os.path.dirname(manifest), "manifest.ndjson")
    with open(path, "w") as target:
        for line in rows[1:]:
            cells = dict(zip(rows[0].strip().split(","), line.strip().split(",")))
            target.write(json.dumps(dict(cells, front=[cells["front"]] if cells["front"] else [])) + "\n")
    demand(backfill.requests(session, path, per_task).collect() == wanted.collect(), "an NDJSON manifest says the same")
    demand(backfill.frames(r"a\;b.png ; c.png;") == ["a;b.png", "c.png"] and backfill.frames(r"a\\;b") == ["a\\", "b"],
           "semicolons within paths")

    # Images in another folder: taken out of the lines, these are one machine's.
    images, out = os.path.join(scratch, "images"), os.path.join(scratch, "parquet")
    backfill.run(session, backfill.parsed([manifest, out, "--images", images, "--format", "parquet", "--pairs-per-task", str(per_task),
                                           "--jobs", "2", "--cnicscan", binary]))
    table = {row["id"]: row for row in session.read.parquet(os.path.join(out, "answers")).collect()}
    demand(list(table[order[0]].asDict()) == ["id", "outcome", "result", "events", "timings"], "the table's columns")
    lines = wanted_results.decode().splitlines()[:count]
    here = os.path.join(os.path.dirname(os.path.dirname(whole)), "out", "merged", "images")
    demand([table[name]["result"].replace(images, here) for name in order] == lines, "Parquet holds the same results")
    session.stop()


def main():
    options = options_of(__doc__)
    binary, work = options.binary, options.work
    marker = f"spark-{os.getpid()}"
    scratch = os.path.join(work, "spark")
    for folder in (scratch, os.path.join(work, "out"), os.path.join(work, "pairs")):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(scratch)
    start = time.monotonic()
    processes = Processes(os.path.join(scratch, "logs"))
    try:
        manifest = make_pairs(os.path.join(work, "pairs"))
        library = make_poison_layer(work)
        wanted, outcomes, one = one_machine(binary, manifest, os.path.join(work, "out", "merged"), work,
                                            dict(os.environ, CNICSCAN_WORKER_PRELOAD=library))
        spark = Spark(scratch, marker)
        spark.start(processes)
        begun = time.monotonic()
        images, out = os.path.join(work, "out", "merged", "images"), os.path.join(scratch, "out")
        settings = {"spark.ui.enabled": "false", "spark.executor.memory": "512m", "spark.driver.memory": "512m",
                    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.executor.cores": "1",
                    "spark.cores.max": "2"}
        job = processes.start("job", [
            os.path.join(spark.home, "bin", "spark-submit"), "--master", spark.master,
            *[word for name, value in settings.items() for word in ("--conf", f"{name}={value}")],
            os.path.join(BACKFILL, "backfill.py"), manifest, out, "--images", images, "--pairs-per-task", str(PER_TASK),
            "--cnicscan", binary, "--env", f"CNICSCAN_WORKER_PRELOAD={library}", "--env", f"CNICSCAN_CLUSTER_TEST={marker}"],
            spark.environment)
        told = hurt(spark, binary, images, job)
        wait_for("the job's end", lambda: job.poll() is not None, 300)
        demand(job.returncode == 0, f"the job ends with 0, not {job.returncode}")
        seconds = time.monotonic() - begun

        results, files = parts(os.path.join(out, "results"))
        answers, _ = parts(os.path.join(out, "answers"))
        events = b"".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                          for line in answers.splitlines() for event in json.loads(line)["events"])
        different = differing({n: wanted[n] for n in ("results.ndjson", "events.ndjson")},
                              {"results.ndjson": results, "events.ndjson": events})
        demand(not different, f"results and events are one machine's, byte for byte; differing: {', '.join(different)}")
        demand(files == PAIRS // PER_TASK, f"{PER_TASK} pairs a partition: {files} files")
        ids = [json.loads(line)["id"] for line in results.splitlines()]
        demand(len(ids) == PAIRS == len(set(ids)), "every pair once")
        account = json.loads(parts(os.path.join(out, "account.json"))[0])
        demand(account == {"pairsIn": PAIRS, "pairsOut": PAIRS, "outcomes": outcomes}, f"the account adds up: {account}")
        with open(os.path.join(scratch, "logs", "job.log")) as file:
            log = file.read()
        lost = log.count("Lost task")
        demand("ExecutorLostFailure" in log or "Lost executor" in log, "Spark saw the executor die")
        demand(lost >= 2, f"Spark tried the tasks of the killed ones again: {lost}")
        processes.end()
        within_this_process(scratch, binary, manifest, wanted["results.ndjson"])
        print(json.dumps({
            "engine": f"Spark {spark.version}", "pairs": PAIRS, "tasks": files, "outcomes": outcomes, **told, "tasksTriedAgain": lost,
            "oneMachineSeconds": round(one, 1), "jobSeconds": round(seconds, 1), "allSeconds": round(time.monotonic() - start, 1)}))
    except Failure as failure:
        print(f"test-spark: {failure} (logs: {scratch})", file=sys.stderr)
        options.keep = True
        return 1
    finally:
        processes.end()
        end_all("CNICSCAN_CLUSTER_TEST=" + marker)
        if not options.keep:
            shutil.rmtree(scratch, ignore_errors=True)
            shutil.rmtree(os.path.join(work, "out"), ignore_errors=True)
    demand(not ours("CNICSCAN_CLUSTER_TEST=" + marker), "nothing is left running")
    return 0


if __name__ == "__main__":
    sys.exit(main())
