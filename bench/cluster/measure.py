"""Measures a cluster of real processes on this machine and prints a JSON line a measure.

    python3 bench/cluster/measure.py THALWEG [--jobs 1000] [--at-once 50] [--rows N] [--repeat N] [--only NAME…]

Figures are of this machine at this moment; bench/results/ keeps some with their circumstances.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "cluster"))
from cluster import Cluster, wait_for  # noqa: E402

NUMBERS = "CREATE TABLE t (a BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '{rows}', 'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '{rows}');"
SHORT = "SELECT k, SUM(a) FROM (SELECT MOD(a, 3) AS k, a FROM (VALUES (1), (2), (3), (4)) AS t(a)) GROUP BY k;"


def say(name, **figures):
    print(json.dumps({"measure": name, **figures}), flush=True)


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
        say("worker registered", ms=sorted(round(each) for each in times), idle=cluster.footprint())


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
        before, disk_before = cluster.footprint(), disk(cluster.folder)
        begun = time.monotonic()
        run(options.jobs)
        seconds = time.monotonic() - begun
        say("short jobs in a row", jobs=options.jobs, seconds=round(seconds, 1), ms_each=round(seconds / options.jobs * 1000, 1), before=before, after=cluster.footprint(),
            disk_before=disk_before, disk_after=disk(cluster.folder))


def measure_at_once(thalweg, options):
    with Cluster(thalweg, workers=2, slots=options.at_once) as cluster:
        begun = time.monotonic()
        running = [cluster.start_sql(NUMBERS.format(rows=20000) + "SELECT MOD(a, 5), SUM(a) FROM t GROUP BY MOD(a, 5);", "parallelism.default=2", "execution.runtime-mode=batch")
                   for _ in range(options.at_once)]
        codes = [each.communicate(timeout=600) and each.returncode for each in running]
        say("jobs at once", jobs=options.at_once, failed=sum(1 for code in codes if code), seconds=round(time.monotonic() - begun, 1), after=cluster.footprint())


def measure_large_row(thalweg, _):
    with Cluster(thalweg) as cluster:
        for megabytes in (1, 20, 70):
            begun = time.monotonic()
            ran = cluster.sql("SET 'sql-client.execution.result-mode' = 'tableau';"
                              f"SELECT k, CHAR_LENGTH(MAX(s)) FROM (SELECT k, REPEAT('x', {megabytes} * 1000000) AS s FROM (VALUES (1), (2)) AS t(k)) GROUP BY k;", "parallelism.default=2",
                              "execution.runtime-mode=batch")
            say("row", megabytes=megabytes, code=ran.returncode, seconds=round(time.monotonic() - begun, 2), said=(ran.stderr or ran.stdout)[-300:])


class Secured:
    """A cluster whose processes and clients use certificates and a token; or a plain one."""
    def __init__(self, thalweg, tls, settings=(), **options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-measure-"))
        client = []
        if tls:
            subprocess.run([thalweg, "certs", self.folder], check=True, capture_output=True)
            settings = [*settings, *(f"thalweg.security.{key}={self.folder / file}" for key, file in
                                     (("ca", "ca.pem"), ("certificate", "daemon.pem"), ("key", "daemon.key"), ("token-file", "token")))]
            client = ["--ca", self.folder / "ca.pem", "--token-file", self.folder / "token"]
        self.cluster = Cluster(thalweg, settings=settings, client=client, **options)

    def __enter__(self):
        return self.cluster

    def __exit__(self, *_):
        self.cluster.__exit__()
        shutil.rmtree(self.folder)


def start_job(cluster, *arguments, parallelism=2, program="thalweg-bench-job"):
    return cluster.start_program(cluster.thalweg.parent / program, *map(str, arguments), options=["-p", str(parallelism)])


def figures_of(cluster, running):
    """What the sinks of a job printed, when it has ended well."""
    said = running.communicate()[1]
    assert running.returncode == 0, said
    job = re.search(r"JobID (\w+)", said).group(1)
    return [json.loads(line) for line in cluster.printed(job) if line.startswith('{"pid"')]


def per_process(figures, field):
    return {each["pid"]: max(other[field] for other in figures if other["pid"] == each["pid"]) for each in figures}


def run_shuffle(cluster, rows, parallelism=2, keys=100000, micros=0):
    begun = time.monotonic()
    figures = figures_of(cluster, start_job(cluster, "shuffle", rows, keys, micros, parallelism=parallelism))
    assert sum(each["rows"] for each in figures) == rows and sum(each["sum"] for each in figures) == rows * (rows - 1) // 2, figures
    cpu_seconds = sum(per_process(figures, "cpu_seconds").values())
    return {"rows": rows, "parallelism": parallelism, "seconds": round(time.monotonic() - begun, 1), "cpu_seconds": round(cpu_seconds, 2),
            "rows_per_cpu_second": round(rows / cpu_seconds), "peak_mb": sorted(per_process(figures, "peak_mb").values())}


def measure_shuffle(thalweg, options):
    for tls in (False, True):
        with Secured(thalweg, tls, slots=1) as cluster:
            for _ in range(options.repeat):
                say("keyed shuffle of pairs of BIGINT, two processes", tls=tls, **run_shuffle(cluster, options.rows))


def measure_memory(thalweg, options):
    limit = ["taskmanager.memory.process.size=512 mb"]
    with Secured(thalweg, False, limit, slots=1) as cluster:
        say("memory, limit 512 MB: shuffle", **run_shuffle(cluster, options.rows))
        say("memory, limit 512 MB: a slow consumer", micros=5, **run_shuffle(cluster, options.rows // 20, micros=5))
    with Secured(thalweg, False, limit, slots=8) as cluster:
        say("memory, limit 512 MB: 256 channels", **run_shuffle(cluster, options.rows // 2, parallelism=16))
        say("memory, limit 512 MB: 256 channels, slow consumers", micros=5, **run_shuffle(cluster, options.rows // 20, parallelism=16, micros=5))


def run_latency(cluster, rate, seconds, micros=0, beside=lambda: None):
    begun = time.monotonic()
    running = start_job(cluster, "latency", rate, rate * seconds, micros)
    beside()
    figures = figures_of(cluster, running)
    assert sum(each["rows"] for each in figures) == rate * seconds, figures
    worst = lambda field: max(each[field] for each in figures)
    return {"rows": rate * seconds, "seconds": round(time.monotonic() - begun, 1), "far_rows": sum(each["far_rows"] for each in figures),
            **{field: worst(field) for field in ("far_p50_ms", "far_p99_ms", "far_p999_ms", "near_p50_ms", "near_p99_ms")},
            "cpu_seconds": round(sum(per_process(figures, "cpu_seconds").values()), 2), "load": round(os.getloadavg()[0], 1)}


def measure_latency(thalweg, options):
    for tls in (False, True):
        with Secured(thalweg, tls, slots=1) as cluster:
            runs = [run_latency(cluster, 20000, 12) for _ in range(options.repeat)]
            for run in runs:
                say("latency, 20,000 rows a second, count per key in another process", tls=tls, **run)
            say("latency, medians", tls=tls, **{field: statistics.median(run[field] for run in runs) for field in ("far_p50_ms", "far_p99_ms", "far_p999_ms")})


def measure_isolation(thalweg, options):
    """A healthy job paced at 40 % of a core, alone and beside each that misbehaves."""
    with Secured(thalweg, False, ["taskmanager.memory.process.size=1600 mb"], slots=4) as cluster:
        healthy = lambda beside=lambda: None: run_latency(cluster, 5000, 12, micros=80, beside=beside)
        say("isolation: healthy job alone", **healthy())
        for how in ("crash", "leak", "loop", "fork", "close", "garbage"):
            jobs = []

            def misbehave(how=how):
                time.sleep(2)
                ran = cluster.run_program(cluster.thalweg.parent / "cluster-test-job", "misbehaves", how, options=["-d", "-p", "1"])
                jobs.append(re.search(r"JobID (\w+)", ran.stderr).group(1))
            run = healthy(misbehave)
            say(f"isolation: healthy job beside one that does '{how}'", its_state=re.search(r"state +(\w+)", cluster.info(jobs[0])).group(1), **run)
            cluster.run("cancel", jobs[0])
        say("isolation: healthy job alone", **healthy())


MEASURES = {"start": measure_start, "first-row": measure_first_row, "many": measure_many, "at-once": measure_at_once, "large-row": measure_large_row,
            "shuffle": measure_shuffle, "memory": measure_memory, "latency": measure_latency, "isolation": measure_isolation}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("thalweg")
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--rows", type=int, default=40_000_000, help="of the shuffle")
    parser.add_argument("--repeat", type=int, default=5, help="runs of the shuffle and of the latency")
    parser.add_argument("--only", nargs="*", choices=MEASURES)
    given = parser.parse_args()
    say("machine", cores=os.cpu_count(), load=os.getloadavg()[0], version=subprocess.run([given.thalweg, "--version"], text=True, capture_output=True).stdout.strip())
    for chosen in given.only or MEASURES:
        MEASURES[chosen](given.thalweg, given)
