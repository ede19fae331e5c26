#!/usr/bin/env python3
"""How long a program on the C++ API takes from its start to the first line it prints; a JSON line.

    first_result.py PROGRAM [RUNS]      PROGRAM: a program that prints, as example-streams/first does
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import time


def run(program):
    """Milliseconds to the first line, and CPU milliseconds of the whole run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    process = subprocess.Popen([program], stdout=subprocess.PIPE)
    process.stdout.readline()
    first = time.monotonic()
    process.stdout.read()
    process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (first - begin) * 1000, cpu * 1000


def main(program, runs=50):
    measured = [run(program) for _ in range(int(runs))]
    print(json.dumps({"bench": "first-result", "program": os.path.basename(program), "runs": len(measured),
                      "first_line_ms_min": round(min(first for first, _ in measured), 1),
                      "first_line_ms_median": round(statistics.median(first for first, _ in measured), 1),
                      "cpu_ms_median": round(statistics.median(cpu for _, cpu in measured), 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
