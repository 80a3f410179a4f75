#!/usr/bin/env python3
"""A backfill on Spark: each partition of a manifest goes through one `cnicscan worker`, whose answers Spark commits.

    spark-submit backfill.py MANIFEST OUT --images DIR [--format ndjson|parquet] [--pairs-per-task 500] [--jobs 1]
                 [--cnicscan PATH] [--env NAME=VALUE]... [-- OPTION OF cnicscan worker...]

MANIFEST is a manifest of cnicscan, CSV or NDJSON; its images, MANIFEST itself and DIR, where the saved card images go, lie on
storage that every executor sees under the same path. OUT is anything that Spark writes to and that does not exist yet:

    OUT/answers   what the workers answered: `{"id", "result", "events", "timings"}` lines, or Parquet of id, outcome, result,
                  events and timings as text; partitions in the manifest's order
    OUT/results   with ndjson: the results' lines alone, byte for byte those of `cnicscan run`
    OUT/account.json   pairs in, pairs out, outcomes; written last, only where both are the same ids, each once

Ends with 0 only then. A pair that cannot be read, or that crashes its worker each time, is a record with the outcome `failed`; a
worker that cannot work at all fails its task, which Spark tries again elsewhere (spark.task.maxFailures)."""

import argparse
import json
import os
import re
import shlex
import sys

from pyspark.sql import Row, SparkSession, types

COLUMNS = {"id", "front", "back", "identityNumber", "scanMode", "imageWidth"}


def frames(cell):
    """Paths divided by semicolons; before a semicolon 2n backslashes are n and a divider, 2n + 1 are n and a semicolon."""
    first, *rest = re.split(r"(\\*);", cell or "")
    paths = [first]
    for slashes, text in zip(rest[::2], rest[1::2]):
        paths[-1] += "\\" * (len(slashes) // 2)
        if len(slashes) % 2:
            paths[-1] += ";" + text
        else:
            paths.append(text)
    return [path.strip() for path in paths if path.strip()]


def files(value, base):
    """Paths from the manifest's own folder on."""
    return [os.path.join(base, name) for name in (value if isinstance(value, list) else frames(value))]


def request(row, base):
    """A worker's line; it is the worker that judges what a row holds."""
    line = {"id": row["id"], "front": files(row.get("front"), base), "back": files(row.get("back"), base)}
    for name in ("identityNumber", "scanMode"):
        if row.get(name):
            line[name] = row[name]
    if row.get("imageWidth"):
        line["imageWidth"] = int(row["imageWidth"])
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def rows(session, manifest):
    """The manifest's rows as dictionaries, read in parallel, in their order."""
    with open(manifest, encoding="utf-8-sig") as file:
        isNDJSON = file.read(1) == "{"
    place = "file://" + os.path.abspath(manifest)
    if isNDJSON:
        return session.sparkContext.textFile(place).filter(str.strip).map(json.loads)
    table = session.read.csv(place, header=True, quote='"', escape='"', mode="FAILFAST", inferSchema=False)
    table = table.toDF(*[name.removeprefix("\ufeff") for name in table.columns])
    unknown = set(table.columns) - COLUMNS
    if unknown or not {"id", "front", "back", "identityNumber"} <= set(table.columns):
        raise SystemExit("backfill: the manifest's header is not id,front,back,identityNumber[,scanMode][,imageWidth]")
    return table.rdd.map(lambda row: row.asDict())


def requests(session, manifest, pairs_per_task):
    """The worker's lines, so many a partition, in the manifest's order. Ids must be there and differ: results go by them."""
    base = os.path.dirname(os.path.abspath(manifest))
    given = rows(session, manifest)
    doubled = given.map(lambda row: (row.get("id") or "", 1)).reduceByKey(lambda a, b: a + b).filter(
        lambda pair: pair[0] == "" or pair[1] > 1).count()
    if doubled:
        raise SystemExit(f"backfill: {doubled} ids of the manifest are empty or stand in more than one row")
    lines = given.map(lambda row: request(row, base)).zipWithIndex().map(lambda pair: (pair[1], pair[0]))
    tasks = max(1, -(-lines.count() // pairs_per_task))
    return lines.repartitionAndSortWithinPartitions(tasks, lambda place: place // pairs_per_task).values()


def members(line):
    """The members of a JSON object with their values as they are written, byte for byte."""
    decoder, scan, place, found = json.JSONDecoder(), json.decoder.scanstring, 1, {}
    while line[place] != "}":
        name, place = scan(line, place + 1)
        _, end = decoder.raw_decode(line, place + 1)
        found[name] = line[place + 1:end]
        place = end + 1 if line[end] == "," else end
    return found


def account(answers):
    """Ids and outcomes of a partition's answers; and what makes the whole job fail."""
    for line in answers:
        answer = json.loads(line)
        yield answer["id"], answer["result"]["outcome"], ",".join(answer["result"]["reasons"])


def table_row(line):
    parts = members(line)
    return Row(id=json.loads(parts["id"]), outcome=json.loads(parts["result"])["outcome"], result=parts["result"],
               events=parts["events"], timings=parts["timings"])


def reconcile(wanted, seen):
    """Ids in = ids out, no doubles, and no answer that is no record of its pair.
    - Returns: the account, or ends the job."""
    wrong = wanted.map(lambda line: (json.loads(line)["id"], 1)).cogroup(seen.map(lambda part: (part[0], 1))).mapValues(
        lambda sides: (len(list(sides[0])), len(list(sides[1])))).filter(lambda pair: pair[1] != (1, 1))
    count = wrong.count()
    if count:
        some = "; ".join(f"{given} in, {answered} out" for _, (given, answered) in wrong.take(3))
        raise SystemExit(f"backfill: {count} ids do not reconcile (e.g. {some}): nothing here is complete")
    unwritten = seen.filter(lambda part: "outputNotWritten" in part[2]).count()
    if unwritten:
        raise SystemExit(f"backfill: the images of {unwritten} pairs could not be written: the disk of --images is full")
    outcomes = dict(seen.map(lambda part: (part[1], 1)).reduceByKey(lambda a, b: a + b).collect())
    pairs = sum(outcomes.values())
    return {"pairsIn": pairs, "pairsOut": pairs, "outcomes": dict(sorted(outcomes.items()))}


def parsed(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("out")
    parser.add_argument("--images", required=True, help="absolute folder of saved card images, seen by every executor")
    parser.add_argument("--format", choices=["ndjson", "parquet"], default="ndjson")
    parser.add_argument("--pairs-per-task", type=int, default=500, help="about four minutes of a core at half a second a pair")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes a task: set spark.task.cpus to the same")
    parser.add_argument("--cnicscan", default="cnicscan")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the workers; PATH is set")
    parser.add_argument("worker", nargs="*", help="further options of cnicscan worker, after --")
    return parser.parse_args(words)


def run(session, options):
    """Scans, commits, reconciles.
    - Returns: the account."""
    # --jobs even for one: the watching parent answers for a pair that crashes its worker, so that no pair can use up a task's tries.
    command = [options.cnicscan, "worker", "--jobs", str(options.jobs), "--images", os.path.abspath(options.images)] + options.worker
    # pipe() replaces the environment. Without checkCode a worker that was killed would silently lose the rest of its partition.
    environment = {"PATH": os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin")}
    environment.update(pair.split("=", 1) for pair in options.env)
    os.makedirs(options.images, mode=0o700, exist_ok=True)

    context = session.sparkContext
    wanted = requests(session, options.manifest, options.pairs_per_task)
    answers = wanted.pipe(shlex.join(command), env=environment, checkCode=True)
    place = options.out.rstrip("/") + "/answers"
    if options.format == "ndjson":
        # Committed once; what follows reads what was committed, since scanning again could give other images and other times.
        answers.saveAsTextFile(place)
        # By name, one after the other: a folder's files would come in no order.
        names = [f"{place}/part-{number:05}" for number in range(wanted.getNumPartitions())]
        committed = context.textFile(",".join(names), minPartitions=1)
        reconciled = reconcile(wanted, committed.mapPartitions(account))
        committed.map(lambda line: members(line)["result"]).saveAsTextFile(options.out.rstrip("/") + "/results")
    else:
        schema = types.StructType([types.StructField(name, types.StringType(), False)
                                   for name in ("id", "outcome", "result", "events", "timings")])
        session.createDataFrame(answers.map(table_row), schema).write.parquet(place)
        table = session.read.parquet(place)
        reconciled = reconcile(wanted, table.select("result").rdd.map(lambda row: json.loads(row[0])).map(
            lambda result: (result["id"], result["outcome"], ",".join(result["reasons"]))))
    context.parallelize([json.dumps(reconciled)], 1).saveAsTextFile(options.out.rstrip("/") + "/account.json")
    return reconciled


def main():
    options = parsed()
    session = SparkSession.builder.appName("cnicscan backfill").getOrCreate()
    print(json.dumps(run(session, options)))
    session.stop()


if __name__ == "__main__":
    sys.exit(main())
