"""Jobs on a coordinator and workers that are real processes: same answers as in one process, and what failures do.

    cluster_test.py THALWEG
"""
import contextlib
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from cluster import Cluster, kill, wait_for

HERE = pathlib.Path(__file__).resolve().parent
THALWEG = None

ENDLESS = """
CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen');
CREATE TABLE nowhere (n BIGINT, c BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO nowhere SELECT MOD(n, 100), COUNT(*) FROM numbers GROUP BY MOD(n, 100);
"""


class AnswersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(THALWEG)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()

    def test_flights_give_the_same_tables(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        try:
            for part in ("data", "flights.sql"):
                source = HERE.parent.parent / "examples" / "flights" / part
                shutil.copytree(source, folder / part) if source.is_dir() else shutil.copy(source, folder)
            ran = self.cluster.run("sql", "-f", "flights.sql", "-D", "parallelism.default=2", cwd=folder)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            (folder / "shown.txt").write_text(ran.stdout)
            checked = subprocess.run([sys.executable, HERE.parent / "demo" / "check_flights.py", folder / "output" / "hourly", folder / "shown.txt"],
                                     text=True, capture_output=True)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        finally:
            shutil.rmtree(folder)

    def test_rows_cross_processes(self):
        ran = self.cluster.sql(
            "CREATE TABLE t (a INT, b STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '5000', 'fields.a.kind' = 'sequence',"
            " 'fields.a.start' = '1', 'fields.a.end' = '5000');"
            "SET 'sql-client.execution.result-mode' = 'tableau';"
            "SELECT COUNT(*) AS c, SUM(s) AS total FROM (SELECT MOD(a, 7) AS k, SUM(a) AS s FROM t GROUP BY MOD(a, 7));",
            "parallelism.default=2", "execution.runtime-mode=batch")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("12502500", ran.stdout)

    def test_recorded_answers_come_from_a_cluster_too(self):
        corpus = HERE.parent / "conformance"
        known = [part for name in ("known_failures.txt", "known_failures_modes.txt") for part in ("--known-failures", corpus / name)]
        for folder, file in (("windows", "shifted-time"), ("joins", "semi-anti")):
            ran = self.cluster.run("test", corpus / folder, "--filter", file, "--parallelism", "2", *known)
            self.assertEqual(ran.returncode, 0, ran.stdout)
            self.assertRegex(ran.stdout, r"[1-9]\d* passed, 0 failed")

    def test_a_missing_slot_is_said(self):
        running = self.cluster.start_sql(ENDLESS, "parallelism.default=64")
        try:
            job = wait_for("a job that waits", lambda: next(iter(self.cluster.jobs("CREATED")), None))
            self.assertIn("60 of 64 slots are missing", self.cluster.info(job))
            self.assertEqual(self.cluster.run("cancel", job).stdout, "CANCELED\n")
            self.assertIn("cancelled", running.communicate(timeout=60)[1])
        finally:
            running.kill()
            running.communicate()

    def test_an_error_in_the_data_is_the_jobs_error(self):
        ran = self.cluster.sql("SELECT CAST('x' || CAST(a AS STRING) AS INT) FROM (VALUES (1), (2)) AS t(a);", "parallelism.default=2")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("x1", ran.stderr)

    @contextlib.contextmanager
    def job_that_is_not_harmed(self):
        """Gives the task processes of a job that gives rows; what is done to them in between, it goes on."""
        running = self.cluster.start_sql(ENDLESS, "parallelism.default=2")
        try:
            job = self.cluster.wait_for_rows()
            yield [pid for name in self.cluster.workers for pid in self.cluster.tasks_of(name)]
            info = self.cluster.info(job)
            self.assertIn("state     RUNNING", info)
            self.assertIn("attempt   1", info)
            self.assertIn("2 workers", self.cluster.run("cluster", "status").stdout)
            self.cluster.run("cancel", job)
        finally:
            running.kill()
            running.communicate()

    def test_garbage_on_any_port_harms_nobody(self):
        with self.job_that_is_not_harmed() as tasks:
            ports = [port for pid in [self.cluster.coordinator.pid, *tasks] for port in self.cluster.ports_of(pid)]
            self.assertGreaterEqual(len(ports), 4, "coordinator, REST and two task processes")
            chance = random.Random(7)
            frame = b"THLG" + bytes(chance.randrange(256) for _ in range(4096))
            for port in ports:
                for garbage in (b"\x00" * 4096, b"GET / HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 65536, frame, chance.randbytes(100000)):
                    self.throw(port, garbage)

    def throw(self, port, garbage):
        with socket.create_connection(("127.0.0.1", port), timeout=30) as stranger:
            try:
                stranger.sendall(garbage)
                stranger.shutdown(socket.SHUT_WR)
                while stranger.recv(65536):
                    pass
            except OSError:
                pass

    def test_a_row_of_20_mb_crosses_processes(self):
        query = ("CREATE TABLE t (k BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '2', 'fields.k.kind' = 'sequence', 'fields.k.start' = '1',"
                 " 'fields.k.end' = '2');"
                 "SET 'sql-client.execution.result-mode' = 'tableau';"
                 "SELECT MOD(k, 2), CHAR_LENGTH(MAX(s)) FROM (SELECT k, REPEAT('x', 20000000 + CAST(k AS INT)) AS s FROM t) GROUP BY MOD(k, 2);")
        ran = self.cluster.sql(query, "parallelism.default=2", "execution.runtime-mode=batch")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("20000002", ran.stdout)

    def test_messages_that_no_honest_peer_sends_are_refused(self):
        with self.job_that_is_not_harmed() as tasks:
            for port in [self.cluster.port, *(port for pid in tasks for port in self.cluster.ports_of(pid))]:
                ran = subprocess.run([THALWEG.parent / "cluster-hostile-peer", f"127.0.0.1:{port}"], text=True, capture_output=True, timeout=60)
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
                self.assertIn("64 MiB and more: ", ran.stdout)
                self.assertNotIn(": taken", ran.stdout)

    def test_a_key_with_a_million_rows(self):
        ran = self.cluster.sql(
            "CREATE TABLE many (n BIGINT, k AS n * 0) WITH ('connector' = 'datagen', 'number-of-rows' = '1000000', 'rows-per-second' = '100000000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1',"
            " 'fields.n.end' = '1000000');"
            "SET 'sql-client.execution.result-mode' = 'tableau'; SET 'execution.runtime-mode' = 'batch';"
            "SELECT COUNT(*), SUM(n), SUM(v) FROM many JOIN (VALUES (0, 1), (1, 100)) AS few(k, v) ON many.k = few.k;", "parallelism.default=2")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stdout, r"1000000 .* 500000500000 .* 1000000 ")

    def test_short_jobs_leave_nothing_behind(self):
        def run():
            ran = self.cluster.sql("SELECT k, SUM(a) FROM (SELECT MOD(a, 3) AS k, a FROM (VALUES (1), (2), (3), (4)) AS t(a)) GROUP BY k;" * 30, "parallelism.default=2")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            wait_for("their processes to end", lambda: not any(self.cluster.tasks_of(name) for name in self.cluster.workers))
            return self.cluster.footprint()
        # A thread more may serve many calls; what every round leaves behind is a leak.
        rounds = [run(), run()]
        for _ in range(6):
            rounds.append(run())
            grown = [(name, what) for name in rounds[-1] for what in ("threads", "files", "children") if rounds[-1][name][what] > rounds[-2][name][what]]
            if not grown:
                break
        self.assertEqual(grown, [], rounds)
        for name, was in rounds[1].items():
            self.assertLess(rounds[-1][name]["resident_mb"], was["resident_mb"] + 16, name)

    def test_releases_one_apart_work_together_and_others_are_refused(self):
        with Cluster(THALWEG, workers=0) as cluster:
            cluster.start_worker("worker-1", slots=1)
            cluster.start_worker("newer", slots=1, environment={"THALWEG_PROTOCOL_VERSION": "2"})
            cluster.wait_for_workers(2)
            ran = cluster.sql("SELECT k, SUM(a) FROM (SELECT MOD(a, 3) AS k, a FROM (VALUES (1), (2), (3), (4)) AS t(a)) GROUP BY k;", "parallelism.default=2")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            cluster.start_worker("stranger", slots=1, environment={"THALWEG_PROTOCOL_VERSION": "3"})
            wait_for("its refusal", lambda: "expected a peer of protocol version 1 to 2, found 3" in cluster.log("stranger"))
            self.assertIn("2 workers", cluster.run("cluster", "status").stdout)

    def test_another_protocol_version_is_refused_by_name(self):
        ran = self.cluster.run("list", env={**os.environ, "THALWEG_PROTOCOL_VERSION": "7"})
        self.assertEqual(ran.returncode, 1)
        self.assertIn("expected a peer of protocol version 1 to 2, found 7", ran.stderr)
        self.assertEqual(self.cluster.run("list", env={**os.environ, "THALWEG_PROTOCOL_VERSION": "2"}).returncode, 0)


class FailuresTest(unittest.TestCase):
    SETTINGS = ["heartbeat.timeout=2 s", "heartbeat.interval=50 ms"]

    def run_endless(self, cluster, *settings):
        running = cluster.start_sql(ENDLESS, "parallelism.default=2", *settings)
        self.addCleanup(lambda: (running.kill(), running.communicate()))
        return running, cluster.wait_for_rows()

    def test_a_crashed_task_process_fails_its_job_with_the_cause(self):
        with Cluster(THALWEG, settings=self.SETTINGS) as cluster:
            running, job = self.run_endless(cluster)
            kill(cluster.tasks_of("worker-1")[0], signal.SIGSEGV)
            said = running.communicate(timeout=60)[1]
            self.assertIn("was killed by signal 11", said)
            self.assertIn("state     FAILED", cluster.info(job))
            wait_for("the slots to be free", lambda: "4 free" in cluster.run("cluster", "status").stdout)
            wait_for("the other process to end", lambda: not cluster.tasks_of("worker-2"))

    def test_a_killed_worker_restarts_the_job_elsewhere(self):
        with Cluster(THALWEG, workers=3, slots=1, settings=self.SETTINGS) as cluster:
            running, job = self.run_endless(cluster, "restart-strategy.type=fixed-delay", "restart-strategy.fixed-delay.delay=10 ms")
            victim = next(name for name in cluster.workers if cluster.tasks_of(name))
            orphans = cluster.tasks_of(victim)
            cluster.workers[victim].kill()
            wait_for("a second attempt", lambda: "attempt   2" in cluster.info(job) and "state     RUNNING" in cluster.info(job))
            for orphan in orphans:
                wait_for("the orphan to end", lambda: not pathlib.Path(f"/proc/{orphan}").exists())
            self.assertEqual(cluster.run("cancel", job).returncode, 0)
            self.assertIn("cancelled", running.communicate(timeout=60)[1])

    def test_a_frozen_worker_is_given_up_and_comes_back_clean(self):
        with Cluster(THALWEG, settings=self.SETTINGS) as cluster:
            running, job = self.run_endless(cluster)
            cluster.workers["worker-1"].send_signal(signal.SIGSTOP)
            said = running.communicate(timeout=60)[1]
            self.assertIn("worker 'worker-1' was lost", said)
            cluster.workers["worker-1"].send_signal(signal.SIGCONT)
            cluster.wait_for_workers(2)
            wait_for("its processes to end", lambda: not cluster.tasks_of("worker-1"))
            self.assertEqual(cluster.sql("SELECT 1;", "parallelism.default=1").returncode, 0)

    def test_a_restarted_coordinator_starts_its_jobs_again(self):
        with Cluster(THALWEG, settings=self.SETTINGS) as cluster:
            running, job = self.run_endless(cluster)
            old = {name: cluster.tasks_of(name) for name in cluster.workers}
            cluster.kill_coordinator()
            said = running.communicate(timeout=60)[1]
            self.assertIn("connection", said)
            cluster.start_coordinator(cluster.port)
            cluster.wait_for_workers(2)
            wait_for("the job to run again", lambda: "state     RUNNING" in cluster.info(job))
            for pid in sum(old.values(), []):
                wait_for("old processes to end", lambda: not pathlib.Path(f"/proc/{pid}").exists())
            self.assertEqual(cluster.run("cancel", job).returncode, 0)
            self.assertEqual(cluster.sql("SELECT 1;").returncode, 0)

    def test_a_process_that_deploys_for_long_is_waited_for(self):
        with Cluster(THALWEG, settings=self.SETTINGS, environment={"THALWEG_FAILPOINTS": "task.deploy=sleep(6000)"}) as cluster:
            ran = cluster.sql("SELECT k, SUM(a) FROM (SELECT MOD(a, 3) AS k, a FROM (VALUES (1), (2), (3)) AS t(a)) GROUP BY k;", "parallelism.default=4")
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_query_ends_with_its_client(self):
        with Cluster(THALWEG, settings=self.SETTINGS) as cluster:
            running = cluster.start_sql("CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100');"
                                        "SELECT * FROM numbers;")
            job = cluster.wait_for_rows()
            running.kill()
            running.communicate()
            wait_for("the query to be cancelled", lambda: "state     CANCELED" in cluster.info(job))


if __name__ == "__main__":
    THALWEG = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
