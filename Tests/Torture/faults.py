#!/usr/bin/env python3
"""Lets one system call of the supervisor fail at a time, everywhere, and holds that nothing is lost.

usage: faults.py HARNESS FAULT_LAYER.so [--samples 8]
"""
import argparse
import errno
import json
import shutil

from torture import Work

# What a failure may end with: an orderly status. 0 where the call did not matter (a log line) or the next try succeeded.
ORDERLY = {0, 69, 70, 73, 74, 75}
CODES = {"write": [errno.ENOSPC, errno.EIO], "sync": [errno.EIO, errno.ENOSPC], "rename": [errno.EIO, errno.EACCES],
         "open": [errno.EMFILE, errno.ENOSPC, errno.EROFS], "truncate": [errno.EIO], "fork": [errno.EAGAIN, errno.ENOMEM]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("harness")
    parser.add_argument("layer")
    parser.add_argument("--samples", type=int, default=8)
    options = parser.parse_args()
    work = Work("faults", options.harness)
    work.make_input(24)
    work.run(work.sub("whole"))
    expected = work.read(work.sub("whole"))
    work.run(work.sub("counted"), LD_PRELOAD=options.layer, FAULT_REPORT=work.sub("counts"))
    counts = dict(line.split() for line in open(work.sub("counts")))
    work.counts["calls"] = {name: int(count) for name, count in counts.items()}
    tried, statuses = 0, {}
    for call, count in work.counts["calls"].items():
        places = sorted({1 + index * (count - 1) // max(1, options.samples - 1) for index in range(options.samples)}) if count else []
        for place in places:
            for code in CODES[call]:
                for sticky in ({}, {"FAULT_STICKY": "1"}):
                    tried += 1
                    out = work.sub("out")
                    result = work.run(out, LD_PRELOAD=options.layer, FAULT_CALL=call, FAULT_AT=str(place),
                                      FAULT_ERRNO=str(code), **sticky)
                    what = f"{call} {place}/{count} {errno.errorcode[code]} {'sticky' if sticky else 'once'}"
                    statuses[result.returncode] = statuses.get(result.returncode, 0) + 1
                    if result.returncode not in ORDERLY:
                        work.fault(f"{what}: status {result.returncode} {result.stderr[-200:]}")
                    if result.returncode != 0 and not (result.stdout and json.loads(result.stdout)["message"]):
                        work.fault(f"{what}: no message")
                    again = work.run(out)
                    if again.returncode != 0:
                        work.fault(f"{what}: afterwards status {again.returncode} {again.stdout[-300:]}")
                    elif work.read(out) != expected:
                        work.fault(f"{what}: afterwards the results differ")
                    elif work.leftovers(out):
                        work.fault(f"{what}: left over {work.leftovers(out)[:3]}")
                    shutil.rmtree(out)
    work.counts.update(tried=tried, statuses=statuses)
    work.finish()


main()
