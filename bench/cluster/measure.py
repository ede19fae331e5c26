"""Measures a cluster of real processes on this machine and prints a JSON line a measure.

    python3 bench/cluster/measure.py THALWEG [--jobs 1000] [--at-once 50] [--only NAME…]

Figures are of this machine at this moment; bench/results/ keeps some with their circumstances.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "cluster"))
from cluster import Cluster, wait_for  # noqa: E402

NUMBERS = "CREATE TABLE t (a BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '{rows}', 'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '{rows}');"
SHORT = "SELECT k, SUM(a) FROM (SELECT MOD(a, 3) AS k, a FROM (VALUES (1), (2), (3), (4)) AS t(a)) GROUP BY k;"


def say(name, **figures):
    print(json.dumps({"measure": name, **figures}), flush=True)


def footprint(pid):
    """Resident memory, threads, open files and children of a process."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    field = lambda key: int(next(line for line in status.splitlines() if line.startswith(key)).split()[1])
    children = sum(1 for each in pathlib.Path("/proc").glob("[0-9]*/stat") if parent_of(each) == pid)
    return {"resident_mb": round(field("VmRSS:") / 1024, 1), "threads": field("Threads:"), "files": len(os.listdir(f"/proc/{pid}/fd")), "children": children}


def parent_of(stat):
    try:
        return int(stat.read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return -1


def everyone(cluster):
    processes = {"coordinator": cluster.coordinator.pid, **{name: worker.pid for name, worker in cluster.workers.items()}}
    return {name: footprint(pid) for name, pid in processes.items()}


def disk(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {"files": len(files), "kb": sum(path.stat().st_size for path in files) // 1024}


def measure_start(thalweg, _):
    times = []
    with Cluster(thalweg, workers=0) as cluster:
        for number in range(7):
            name = f"worker-{number}"
            begun = time.monotonic()
            cluster.start_worker(name)
            wait_for("its word", lambda: "registered worker=" + name in cluster.log("coordinator") or f"worker={name}" in cluster.log("coordinator"))
            times.append((time.monotonic() - begun) * 1000)
        wait_for("calm", lambda: len(cluster.rest("/taskmanagers")["taskmanagers"]) == 7)
        say("worker registered", ms=sorted(round(each) for each in times), idle=everyone(cluster))


def measure_first_row(thalweg, _):
    with Cluster(thalweg) as cluster:
        times = []
        for _ in range(9):
            begun = time.monotonic()
            ran = cluster.sql(SHORT, "parallelism.default=2")
            assert ran.returncode == 0, ran.stderr
            times.append((time.monotonic() - begun) * 1000)
        say("program started to last row, short query of two processes", ms=sorted(round(each) for each in times), median=round(statistics.median(times)))


def measure_many(thalweg, options):
    with Cluster(thalweg, settings=["jobstore.max-capacity=50"]) as cluster:
        def run(count):
            text = SHORT * 20
            for _ in range(count // 20):
                ran = cluster.sql(text, "parallelism.default=2")
                assert ran.returncode == 0, ran.stderr
        run(100)
        before, disk_before = everyone(cluster), disk(cluster.folder)
        begun = time.monotonic()
        run(options.jobs)
        seconds = time.monotonic() - begun
        say("short jobs in a row", jobs=options.jobs, seconds=round(seconds, 1), ms_each=round(seconds / options.jobs * 1000, 1), before=before, after=everyone(cluster),
            disk_before=disk_before, disk_after=disk(cluster.folder))


def measure_at_once(thalweg, options):
    with Cluster(thalweg, workers=2, slots=options.at_once) as cluster:
        begun = time.monotonic()
        running = [cluster.start_sql(NUMBERS.format(rows=20000) + "SELECT MOD(a, 5), SUM(a) FROM t GROUP BY MOD(a, 5);", "parallelism.default=2", "execution.runtime-mode=batch")
                   for _ in range(options.at_once)]
        codes = [each.communicate(timeout=600) and each.returncode for each in running]
        say("jobs at once", jobs=options.at_once, failed=sum(1 for code in codes if code), seconds=round(time.monotonic() - begun, 1), after=everyone(cluster))


def measure_large_row(thalweg, _):
    with Cluster(thalweg) as cluster:
        for megabytes in (1, 20, 70):
            begun = time.monotonic()
            ran = cluster.sql("SET 'sql-client.execution.result-mode' = 'tableau';"
                              f"SELECT k, CHAR_LENGTH(MAX(s)) FROM (SELECT k, REPEAT('x', {megabytes} * 1000000) AS s FROM (VALUES (1), (2)) AS t(k)) GROUP BY k;", "parallelism.default=2",
                              "execution.runtime-mode=batch")
            say("row", megabytes=megabytes, code=ran.returncode, seconds=round(time.monotonic() - begun, 2), said=(ran.stderr or ran.stdout)[-300:])


MEASURES = {"start": measure_start, "first-row": measure_first_row, "many": measure_many, "at-once": measure_at_once, "large-row": measure_large_row}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("thalweg")
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--only", nargs="*", choices=MEASURES)
    given = parser.parse_args()
    say("machine", cores=os.cpu_count(), load=os.getloadavg()[0], version=subprocess.run([given.thalweg, "--version"], text=True, capture_output=True).stdout.strip())
    for chosen in given.only or MEASURES:
        MEASURES[chosen](given.thalweg, given)
