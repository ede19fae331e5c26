"""Jobs with checkpoints on a cluster of real processes: whatever is killed, every row counts once.

    checkpoints_test.py THALWEG
"""
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import unittest

from cluster import Cluster, kill, wait_for
from cutting_proxy import CuttingProxy

THALWEG = None
KEYS = 8
ROWS_PER_WINDOW = 100

# Windows of 100 rows by event time, counted per key: an exchange, state, a sink that commits with checkpoints.
JOB = """
CREATE TABLE numbers (n BIGINT, ts AS TO_TIMESTAMP_LTZ(n, 3), WATERMARK FOR ts AS ts)
  WITH ('connector' = 'datagen', 'rows-per-second' = '{rate}', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '{last}');
CREATE TABLE counts (w STRING, k BIGINT, c BIGINT) WITH ('connector' = 'filesystem', 'path' = '{output}', 'format' = 'csv');
INSERT INTO counts SELECT CAST(window_start AS STRING), MOD(n, {keys}), COUNT(*)
  FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '0.100' SECOND)) GROUP BY window_start, window_end, MOD(n, {keys});
"""


class CheckpointsTest(unittest.TestCase):
    SETTINGS = ["heartbeat.timeout=2 s", "heartbeat.interval=50 ms"]
    RESTART = ["restart-strategy.type=fixed-delay", "restart-strategy.fixed-delay.attempts=20", "restart-strategy.fixed-delay.delay=10 ms"]

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-checkpoints-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.output = self.folder / "output"

    def start(self, cluster, *settings, rows=12000, rate=2000, parallelism=2, interval="100 ms", folder=True):
        """Starts the job and waits until it has a checkpoint; its id."""
        text = JOB.format(rate=rate, last=rows - 1, output=self.output, keys=KEYS)
        chosen = [f"execution.checkpointing.dir={self.folder / 'checkpoints'}"] if folder else []
        before = set(cluster.jobs())
        running = cluster.start_sql(text, f"parallelism.default={parallelism}", f"execution.checkpointing.interval={interval}",
                                    *self.RESTART, *chosen, *settings)
        self.addCleanup(lambda: (running.kill(), running.communicate()))
        job = wait_for("the job", lambda: next(iter(set(cluster.jobs()) - before), None) or self.fail_if_ended(running))
        wait_for("a checkpoint", lambda: re.search(r"checkpoints [1-9]", cluster.info(job)))
        return job

    def fail_if_ended(self, running):
        if running.poll() is not None:
            self.fail(str(running.communicate()))

    def check_output(self, rows=12000):
        counts = {}
        for part in self.output.iterdir():
            if part.name.startswith("."):
                continue
            for line in part.read_text().splitlines():
                window, key, count = line.rsplit(",", 2)
                self.assertNotIn((window, key), counts, "a window came twice")
                counts[window, key] = int(count)
        self.assertEqual(sum(counts.values()), rows)
        self.assertEqual(len(counts), rows // ROWS_PER_WINDOW * KEYS)

    def test_a_killed_worker_costs_no_row(self):
        with Cluster(THALWEG, workers=3, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            cluster.workers[next(name for name in cluster.workers if cluster.tasks_of(name))].kill()
            cluster.wait_for_end(job)
            self.assertRegex(cluster.info(job), r"attempt   [2-9]")
            self.check_output()
            self.assertEqual(list((self.folder / "checkpoints").rglob("_metadata")), [], "checkpoints of a finished job stay behind")

    def test_a_killed_task_process_costs_no_row(self):
        with Cluster(THALWEG, workers=2, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            kill(cluster.tasks_of("worker-2")[0])
            cluster.wait_for_end(job)
            self.assertIn("was killed by signal 9", cluster.info(job))
            self.assertRegex(cluster.info(job), r"restarts from .*/chk-")
            self.check_output()

    def test_a_killed_coordinator_costs_no_row(self):
        with Cluster(THALWEG, workers=2, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            cluster.restart_coordinator()
            cluster.wait_for_end(job)
            self.check_output()
            # Its end is history for the coordinator after the next.
            cluster.restart_coordinator()
            self.assertIn("state     FINISHED", cluster.info(job))
            self.assertIn(job, cluster.jobs("FINISHED"))

    def test_state_is_kept_with_the_coordinator_where_no_folder_is_set(self):
        with Cluster(THALWEG, workers=2, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster, folder=False)
            kill(cluster.tasks_of("worker-1")[0])
            cluster.restart_coordinator()
            cluster.wait_for_end(job)
            self.check_output()

    def test_a_frozen_worker_that_comes_back_late_changes_nothing(self):
        with Cluster(THALWEG, workers=3, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            frozen = next(name for name in cluster.workers if cluster.tasks_of(name))
            tasks = cluster.tasks_of(frozen)
            for pid in [cluster.workers[frozen].pid, *tasks]:
                kill(pid, signal.SIGSTOP)
            wait_for("a second attempt", lambda: re.search(r"attempt   [2-9]", cluster.info(job)))
            for pid in [cluster.workers[frozen].pid, *tasks]:
                kill(pid, signal.SIGCONT)
            cluster.wait_for_end(job)
            self.check_output()
            cluster.wait_for_workers(3)

    def test_cut_connections_to_the_coordinator_cost_no_row(self):
        with Cluster(THALWEG, workers=0, settings=self.SETTINGS) as cluster, CuttingProxy(int(cluster.port)) as proxy:
            for name in ("worker-1", "worker-2"):
                cluster.start_worker(name, slots=1, port=proxy.port)
            cluster.wait_for_workers(2)
            job = self.start(cluster)
            for attempt in (2, 3):
                self.assertGreater(proxy.cut(), 0)
                wait_for("the next attempt", lambda attempt=attempt: (lambda found: found and int(found.group(1)) >= attempt)(
                    re.search(r"(?s)state     RUNNING.*attempt   (\d+)", cluster.info(job))))
            cluster.wait_for_end(job)
            self.check_output()

    def test_cut_connections_between_task_processes_cost_no_row(self):
        # Each process of each attempt cuts its stream to the other at the 100th frame that it sends.
        with Cluster(THALWEG, workers=2, slots=1, settings=self.SETTINGS, environment={"THALWEG_FAILPOINTS": "exchange.cut=error@100"}) as cluster:
            job = self.start(cluster, "restart-strategy.fixed-delay.attempts=1000")
            cluster.wait_for_end(job)
            info = cluster.info(job)
            self.assertRegex(info, r"attempt   ([2-9]|\d\d)")
            self.assertIn("exchange with process", info)
            self.check_output()

    def test_a_job_goes_on_from_a_savepoint_with_another_parallelism(self):
        with Cluster(THALWEG, workers=2, slots=2, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            kept = cluster.run("savepoint", job, self.folder / "savepoints")
            self.assertEqual(kept.returncode, 0, kept.stderr)
            self.assertTrue((pathlib.Path(kept.stdout.strip()) / "_metadata").exists())
            stopped = cluster.run("stop", job, "--savepoint", self.folder / "savepoints")
            self.assertEqual(stopped.returncode, 0, stopped.stderr)
            self.assertIn("state     FINISHED", cluster.info(job))
            self.start(cluster, f"execution.savepoint.path={stopped.stdout.strip()}", parallelism=3)
            wait_for("the end of both", lambda: len(cluster.jobs("FINISHED")) == 2)
            self.check_output()

    def test_jobs_that_crash_and_freeze_leave_their_neighbour_alone(self):
        with Cluster(THALWEG, workers=2, slots=3, settings=self.SETTINGS) as cluster:
            tasks = lambda: {pid for name in cluster.workers for pid in cluster.tasks_of(name)}
            healthy = self.start(cluster, rows=24000)
            neighbours = {}
            for how in (signal.SIGSEGV, signal.SIGSTOP):
                before, jobs = tasks(), set(cluster.jobs())
                running = cluster.start_sql("CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen'); CREATE TABLE o (a BIGINT) WITH ('connector' = 'blackhole');"
                                            "INSERT INTO o SELECT DISTINCT MOD(a, 100) FROM n;", "parallelism.default=2")
                self.addCleanup(lambda running=running: (running.kill(), running.communicate()))
                job = wait_for("the neighbour", lambda: next(iter(set(cluster.jobs()) - jobs), None))
                started = wait_for("its processes", lambda: (lambda new: new if len(new) == 2 else None)(tasks() - before))
                wait_for("it to run", lambda: re.search(r"[1-9]\d* out", cluster.info(job)))
                neighbours[job] = how
                kill(next(iter(started)), how)
            for job, how in neighbours.items():
                wait_for("its failure", lambda job=job: "state     FAILED" in cluster.info(job))
                self.assertIn("was killed by signal 11" if how == signal.SIGSEGV else "sent nothing for", cluster.info(job))
            cluster.wait_for_end(healthy)
            self.assertIn("attempt   1", cluster.info(healthy))
            self.check_output(rows=24000)

    def test_a_second_coordinator_of_the_same_folder_does_not_start(self):
        with Cluster(THALWEG, workers=0, settings=self.SETTINGS) as cluster:
            second = cluster.spawn("thalweg-coordinator", "coordinator", ["jobmanager.rpc.port=0"])
            self.assertEqual(second.wait(60), 2)
            self.assertIn("another coordinator has the folder", cluster.log("coordinator"))

    def test_savepoints_need_a_folder_and_a_job_that_runs(self):
        with Cluster(THALWEG, workers=1, slots=2, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            nowhere = cluster.run("savepoint", job)
            self.assertEqual(nowhere.returncode, 1)
            self.assertIn("execution.checkpointing.savepoint-dir", nowhere.stderr)
            cluster.run("cancel", job)
            wait_for("its end", lambda: "state     CANCELED" in cluster.info(job))
            late = cluster.run("savepoint", job, self.folder / "savepoints")
            self.assertIn("CANCELED", late.stderr)


if __name__ == "__main__":
    THALWEG = sys.argv.pop(1)
    unittest.main()
