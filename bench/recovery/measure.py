"""Measures how soon a job with much keyed state goes on after its worker, its coordinator or it all has ended.

    python3 bench/recovery/measure.py THALWEG [--keys N] [--kills N] [--backend rocksdb|hashmap] [--rate N] [--folder FOLDER]

A cluster of three workers on this machine runs a count and six more aggregates per key with two subtasks. When every key is
there and in a checkpoint, a tenth of the keys is updated again and again, and one result of a hundred is printed. Times are
from the kill, or the command, to the first result that a new attempt prints. A JSON line a measure.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "cluster"))
import cluster as cluster_of_tests  # noqa: E402
from cluster import Cluster, kill, wait_for  # noqa: E402

JOB = """
CREATE TABLE loaded (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'number-of-rows' = '{keys}',
  'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '{keys}');
CREATE TABLE updates (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'rows-per-second' = '{rate}',
  'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '1000000000');
CREATE TABLE results (k BIGINT, c BIGINT, n BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'result');
INSERT INTO results SELECT k, c, n FROM (
  SELECT k, COUNT(*) AS c, MAX(n) AS n, SUM(n) AS s, MIN(n) AS low, AVG(CAST(n AS DOUBLE)) AS a, SUM(n * 3) AS t, MAX(-n) AS d FROM (
    SELECT n AS k, CAST(-1 AS BIGINT) AS n FROM loaded UNION ALL SELECT MOD(n * 7919, {keys} / 10) * 10 AS k, n FROM updates)
  GROUP BY k) WHERE n >= 0 AND MOD(n, 100) = 0;
"""


def say(name, **figures):
    print(json.dumps({"measure": name, **figures, "load": round(os.getloadavg()[0], 1)}), flush=True)


class Results:
    """What task processes have printed, read as it grows."""
    def __init__(self, cluster):
        self.cluster = cluster
        self.offsets = {}

    def have_come(self):
        """Whether there are new ones since the last call."""
        found = False
        for path in self.cluster.folder.glob("worker-*/logs/*.log"):
            try:
                with open(path, "rb") as log:
                    log.seek(self.offsets.get(path, 0))
                    text = log.read()
            except OSError:
                continue
            self.offsets[path] = self.offsets.get(path, 0) + len(text)
            found = found or b"result" in text
        return found

    def wait(self):
        wait_for("results", self.have_come)


class Job:
    def __init__(self, cluster, options, folder):
        self.cluster, self.options, self.folder = cluster, options, folder
        self.results = Results(cluster)
        self.client = None
        self.id = None

    def start(self, parallelism=2, savepoint=None):
        before = set(self.cluster.jobs())
        settings = [f"parallelism.default={parallelism}", f"state.backend.type={self.options.backend}", f"execution.checkpointing.interval={self.options.interval} ms",
                    f"execution.checkpointing.dir={self.folder / 'checkpoints'}", f"state.backend.rocksdb.localdir={self.folder}", "table.exec.state.ttl=0 ms",
                    "restart-strategy.type=fixed-delay", "restart-strategy.fixed-delay.attempts=1000", "restart-strategy.fixed-delay.delay=1 ms"]
        if savepoint:
            settings.append(f"execution.state-recovery.path={savepoint}")
        self.client = self.cluster.start_sql(JOB.format(keys=self.options.keys, rate=self.options.rate), *settings)
        self.id = wait_for("the job", lambda: next(iter(set(self.cluster.jobs()) - before), None))

    def checkpoints(self):
        found = re.search(r"checkpoints (\d+)", self.cluster.info(self.id))
        return int(found.group(1)) if found else 0

    def wait_for_checkpoints(self, more):
        wanted = self.checkpoints() + more
        wait_for("a checkpoint", lambda: self.checkpoints() >= wanted)

    def wait_until_loaded(self):
        rows = lambda: sum(int(count) for count in re.findall(r"(\d+) rows in, ", self.cluster.info(self.id)))
        wait_for("all keys", lambda: rows() >= self.options.keys)
        self.wait_for_checkpoints(2)
        return sum(path.stat().st_size for path in max((self.folder / "checkpoints").rglob("chk-*"), key=lambda each: int(each.name[4:])).iterdir())


def times_of(name, times, **more):
    ordered = sorted(times)
    say(name, ms=[round(each) for each in ordered], p50=round(ordered[len(ordered) // 2]), p95=round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]), **more)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("thalweg")
    parser.add_argument("--keys", type=int, default=10_000_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--backend", choices=["rocksdb", "hashmap"], default="rocksdb")
    parser.add_argument("--rate", type=int, default=50_000, help="updates a second")
    parser.add_argument("--interval", type=int, default=2000, help="milliseconds between checkpoints")
    parser.add_argument("--memory", default="5 gb", help="of a worker")
    parser.add_argument("--folder", default=None, help="where checkpoints and local state are")
    options = parser.parse_args()
    cluster_of_tests.DEADLINE_S = 600
    folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-recovery-", dir=options.folder))
    about = {"keys": options.keys, "backend": options.backend, "rate": options.rate}
    daemon = ["heartbeat.timeout=2 s", "heartbeat.interval=100 ms", f"taskmanager.memory.process.size={options.memory}"]
    try:
        with Cluster(options.thalweg, workers=3, slots=1, settings=daemon) as cluster:
            job = Job(cluster, options, folder)
            begun = time.monotonic()
            job.start()
            size = job.wait_until_loaded()
            say("loaded", seconds=round(time.monotonic() - begun, 1), checkpoint_mb=round(size / 1e6), **about)
            print(re.search(r"(?m)^.*checkpoints.*$", cluster.info(job.id)).group(0), file=sys.stderr)
            for what in ("worker", "task process", "coordinator"):
                times = []
                for _ in range(options.kills):
                    job.results.wait()
                    name = next(name for name in cluster.workers if cluster.tasks_of(name))
                    tasks = cluster.tasks_of(name)
                    job.results.have_come()
                    begun = time.monotonic()
                    if what == "worker":
                        cluster.workers[name].kill()
                        cluster.workers[name].wait()
                    elif what == "task process":
                        kill(tasks[0])
                    else:
                        cluster.restart_coordinator()
                    time.sleep(0.02)                       # what was printed before the kill
                    job.results.have_come()
                    job.results.wait()
                    times.append((time.monotonic() - begun) * 1000)
                    if what == "worker":
                        cluster.start_worker(name, 1)
                        cluster.wait_for_workers(3)
                    job.wait_for_checkpoints(1)
                times_of(f"kill -9 of a {what} to the first result", times, **about)
            for parallelism in (3, 1):
                stopped = cluster.run("stop", job.id, "--savepoint", folder / "savepoints")
                assert stopped.returncode == 0, stopped.stderr
                job.client.kill()
                job.results.have_come()
                begun = time.monotonic()
                job.start(parallelism, stopped.stdout.strip())
                job.results.wait()
                say("savepoint, other parallelism: command to the first result", ms=round((time.monotonic() - begun) * 1000), parallelism=parallelism, **about)
                job.wait_for_checkpoints(1)
            job.client.kill()
            cluster.run("cancel", job.id)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
