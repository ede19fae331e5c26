"""The coordinator's REST interface with real processes: Flink's paths and shapes, and what strangers send.

    rest_test.py THALWEG
"""
import re
import socket
import sys
import unittest

from cluster import Cluster, wait_for

THALWEG = None

ENDLESS = """
CREATE TABLE numbers (n BIGINT, ts AS TO_TIMESTAMP_LTZ(n, 3), WATERMARK FOR ts AS ts)
  WITH ('connector' = 'datagen', 'rows-per-second' = '500', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '1000000');
CREATE TABLE nowhere (n BIGINT, c BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO nowhere SELECT MOD(n, 100), COUNT(*)
  FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '0.100' SECOND)) GROUP BY window_start, window_end, MOD(n, 100);
"""


class RestTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(THALWEG, settings=["heartbeat.interval=50 ms"])
        cls.running = cls.cluster.start_sql(ENDLESS, "parallelism.default=2", "execution.checkpointing.interval=100 ms")
        cls.job = cls.cluster.wait_for_rows()

    @classmethod
    def tearDownClass(cls):
        cls.running.kill()
        cls.running.communicate()
        cls.cluster.__exit__()

    def vertices(self):
        return self.cluster.rest(f"/v1/jobs/{self.job}")["vertices"]

    def test_the_overview_counts_workers_slots_and_jobs(self):
        for path in ("/v1/overview", "/overview"):
            overview = self.cluster.rest(path)
            self.assertEqual((overview["taskmanagers"], overview["slots-total"]), (2, 4))
            self.assertGreaterEqual(overview["jobs-running"], 1)
        self.assertEqual(self.cluster.rest("/healthz"), "ok\n")
        self.assertIn("features", self.cluster.rest("/config"))

    def test_jobs_are_listed_and_described(self):
        self.assertIn({"id": self.job, "status": "RUNNING"}, self.cluster.rest("/jobs")["jobs"])
        overview = next(job for job in self.cluster.rest("/jobs/overview")["jobs"] if job["jid"] == self.job)
        self.assertEqual(overview["state"], "RUNNING")
        self.assertEqual(overview["tasks"]["running"], overview["tasks"]["total"])
        job = self.cluster.rest(f"/jobs/{self.job}")
        self.assertEqual(job["state"], "RUNNING")
        self.assertGreater(job["timestamps"]["RUNNING"], 0)
        self.assertEqual(job["end-time"], -1)
        self.assertEqual(len(job["plan"]["nodes"]), len(job["vertices"]))
        self.assertEqual(self.cluster.rest(f"/jobs/{self.job}/plan")["plan"], job["plan"])
        self.assertEqual(self.cluster.rest(f"/jobs/{self.job}/status"), {"status": "RUNNING"})
        ids = {vertex["id"] for vertex in job["vertices"]}
        for node in job["plan"]["nodes"]:
            for edge in node.get("inputs", []):
                self.assertIn(edge["id"], ids)

    def test_vertices_show_their_subtasks_and_where_time_goes(self):
        wait_for("a busy time", lambda: any(vertex["metrics"]["accumulated-busy-time"] + vertex["metrics"]["accumulated-idle-time"] > 0 for vertex in self.vertices()))
        for vertex in self.vertices():
            detail = self.cluster.rest(f"/jobs/{self.job}/vertices/{vertex['id']}")
            self.assertEqual([subtask["subtask"] for subtask in detail["subtasks"]], [0, 1])
            self.assertEqual({subtask["taskmanager-id"] for subtask in detail["subtasks"]}, {"worker-1", "worker-2"})
            self.assertEqual(self.cluster.rest(f"/jobs/{self.job}/vertices/{vertex['id']}/subtasks/1")["subtask"], 1)
            pressure = self.cluster.rest(f"/jobs/{self.job}/vertices/{vertex['id']}/backpressure")
            self.assertEqual(pressure["status"], "ok")
            for subtask in pressure["subtasks"]:
                self.assertLessEqual(subtask["busyRatio"], 1)
            self.cluster.rest(f"/jobs/{self.job}/vertices/{vertex['id']}/taskmanagers")
        marks = wait_for("a watermark", lambda: [mark for vertex in self.vertices() for mark in self.cluster.rest(f"/jobs/{self.job}/vertices/{vertex['id']}/watermarks")])
        self.assertRegex(marks[0]["id"], r"^\d+\.currentInputWatermark$")

    def test_checkpoints_and_exceptions_are_told(self):
        wait_for("a checkpoint", lambda: self.cluster.rest(f"/jobs/{self.job}/checkpoints")["counts"]["completed"] > 0)
        checkpoints = self.cluster.rest(f"/jobs/{self.job}/checkpoints")
        self.assertEqual(checkpoints["latest"]["completed"]["status"], "COMPLETED")
        self.assertEqual(self.cluster.rest(f"/jobs/{self.job}/exceptions")["exceptionHistory"], {"entries": [], "truncated": False})
        failed = self.cluster.sql("CREATE TABLE t (a BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '9', 'fields.a.kind' = 'sequence',"
                                  " 'fields.a.start' = '1', 'fields.a.end' = '9');"
                                  "SELECT CAST('x' || CAST(a AS STRING) AS INT) FROM t;")
        self.assertEqual(failed.returncode, 1)
        broken = wait_for("the failed job", lambda: next(iter(self.cluster.jobs("FAILED")), None))
        entries = self.cluster.rest(f"/jobs/{broken}/exceptions")["exceptionHistory"]["entries"]
        self.assertTrue(any(re.search("x[1-9]", entry["stacktrace"]) for entry in entries), entries)
        self.assertEqual(len(self.cluster.rest(f"/jobs/{broken}/exceptions?maxExceptions=1")["exceptionHistory"]["entries"]), 1)

    def test_workers_are_listed(self):
        workers = self.cluster.rest("/taskmanagers")["taskmanagers"]
        self.assertEqual({worker["id"] for worker in workers}, {"worker-1", "worker-2"})
        self.assertEqual(self.cluster.rest("/taskmanagers/worker-1")["slotsNumber"], 2)

    def test_metrics_are_in_prometheus_form(self):
        text = wait_for("the job's metrics", lambda: (lambda found: found if "busyTimeMsPerSecond{" in found else None)(self.cluster.rest("/metrics")))
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) [a-zA-Z_:][\w:]* .*|[a-zA-Z_:][\w:]*(\{[a-zA-Z_]\w*="(\\.|[^"\\])*"(,[a-zA-Z_]\w*="(\\.|[^"\\])*")*\})? [-+0-9.eE]+)$')
        names = re.findall(r"^# TYPE (\S+)", text, re.M)
        self.assertEqual(len(names), len(set(names)))
        for name in ("flink_jobmanager_taskSlotsTotal", "flink_taskmanager_job_task_operator_numRecordsIn", "flink_taskmanager_job_task_backPressuredTimeMsPerSecond",
                     "flink_taskmanager_job_task_buffers_inputQueueLength", "flink_taskmanager_job_task_operator_watermarkLag", "flink_jobmanager_job_numberOfCompletedCheckpoints"):
            self.assertIn(name, names)

    def test_what_is_not_there_is_404_and_nothing_can_be_changed(self):
        for path in ("/nothing", "/jobs/0000", f"/jobs/{self.job}/nothing", f"/jobs/{self.job}/vertices/0", "/taskmanagers/nobody",
                     f"/jobs/{self.job}/vertices/{self.vertices()[0]['id']}/subtasks/99", "/v1/v1/overview", "/" + "a/" * 200):
            self.assertIn("errors", self.cluster.rest(path, expected=404))
        self.cluster.rest(f"/jobs/{self.job}/exceptions?maxExceptions=-1", expected=400)
        self.assertEqual(self.send(f"PATCH /jobs/{self.job} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".encode()), 405)
        self.assertIn("state     RUNNING", self.cluster.info(self.job))

    def send(self, request):
        """The status of the answer; None if the connection was closed without one."""
        address = (self.cluster.folder / "coordinator" / "rest.address").read_text().strip()
        host, port = address.rsplit(":", 1)
        answer = b""
        with socket.create_connection((host, int(port)), timeout=60) as stranger:
            try:
                stranger.sendall(request)
                stranger.shutdown(socket.SHUT_WR)
            except OSError:
                pass                                       # it was answered before it had said all
            try:
                while True:
                    part = stranger.recv(65536)
                    if not part:
                        break
                    answer += part
            except OSError:
                pass
        found = re.match(rb"HTTP/1\.\d (\d+)", answer)
        return int(found.group(1)) if found else None

    def test_strangers_are_answered_or_cut_off(self):
        self.assertEqual(self.send(b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"), 431)
        self.assertEqual(self.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 5000 + b"\r\n"), 431)
        self.assertEqual(self.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n" + b"x" * 100000), 413)
        self.assertIn(self.send(b"\x00\x01\x02" * 1000), (400, None))
        self.assertIn(self.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), (400, 405, None))
        self.assertEqual(self.send(b"GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), 400)
        self.assertEqual(self.send(b"GET /..%2f..%2fetc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), 404)
        self.assertEqual(self.cluster.rest("/healthz"), "ok\n")


if __name__ == "__main__":
    THALWEG = sys.argv.pop(1)
    unittest.main()
