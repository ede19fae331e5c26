"""Programs on the C++ API on a cluster of real processes: `thalweg run`.

    programs_test.py THALWEG TEST_JOB
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from cluster import Cluster, kill, wait_for

HERE = pathlib.Path(__file__).resolve().parent
THALWEG = None
TEST_JOB = None
RESTART = ["-D", "restart-strategy.type=fixed-delay", "-D", "restart-strategy.fixed-delay.attempts=20", "-D", "restart-strategy.fixed-delay.delay=10 ms"]


def job_of(ran):
    """The job that `thalweg run` says it has submitted."""
    return re.search(r"JobID (\w+)", ran.stderr).group(1)


class ProgramsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(THALWEG)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()

    def run_well(self, *arguments, **how):
        ran = self.cluster.run_program(TEST_JOB, *arguments, **how)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran

    def test_an_example_gives_the_same_as_in_its_own_process(self):
        program = THALWEG.parent / "example-sensors"
        alone = subprocess.run([program], text=True, capture_output=True)
        ran = self.cluster.run_program(program)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout, "", "prints are the workers'")
        self.assertEqual(sorted(self.cluster.printed(job_of(ran))), sorted(alone.stdout.splitlines()))

    def test_records_of_a_stream_come_to_the_client_as_in_its_own_process(self):
        for what in ("records", "scalars", "nothing", "union", "dealt", "keyed", "first", "table", "rows", "changes", "attached"):
            with self.subTest(what):
                alone = subprocess.run([TEST_JOB, "shows", what], text=True, capture_output=True)
                self.assertEqual(alone.returncode, 0, alone.stderr)
                for parallelism in ("1", "2"):
                    ran = self.run_well("shows", what, options=["-p", parallelism])
                    self.assertEqual(sorted(ran.stdout.splitlines()), sorted(alone.stdout.splitlines()), what)
                    if parallelism == "1" and what != "union":
                        self.assertEqual(ran.stdout, alone.stdout, what)

    def test_no_record_is_lost_when_there_are_many(self):
        count = 3_000_000
        ran = self.run_well("collect", str(count), options=["-p", "2"])
        self.assertEqual(ran.stdout, f"{count} records, sum {sum(n * n for n in range(count))}\n")

    def test_a_job_of_5000_operators(self):
        ran = self.run_well("many-operators", "5000")
        self.assertEqual(sorted(self.cluster.printed(job_of(ran))), ["end> 5001", "end> 5002", "end> 5003"])

    def test_a_collected_job_that_fails_says_why(self):
        ran = self.cluster.run_program(TEST_JOB, "shows", "throws")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertRegex(ran.stderr, r"operator 'picky' failed: .*seven is no number")

    def test_what_nobody_would_take_is_refused(self):
        ran = self.cluster.run_program(TEST_JOB, "shows", "records", options=["-d"])
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("submitted with --detached", ran.stderr)

    def test_a_table_amid_a_stream(self):
        ran = self.run_well("tables", options=["-p", "2"])
        totals = {line.split("> ", 1)[1] for line in self.cluster.printed(job_of(ran))}
        self.assertEqual(totals, {f"{key}:{sum(n for n in range(1000) if n % 8 == key)}" for key in range(8)})

    def test_a_program_with_several_executions(self):
        ran = self.run_well("several", options=["-p", "1"])
        self.assertEqual(len(re.findall("JobID", ran.stderr)), 3)
        self.assertRegex(ran.stdout, r"(?s)word.*plain.*1 row in set")
        first, *_, last = re.findall(r"JobID (\w+)", ran.stderr)
        self.assertEqual(self.cluster.printed(first), ["first> 10", "first> 20", "first> 30"])
        self.assertEqual(self.cluster.printed(last), ["last> 100", "last> 200", "last> 300"])

    def test_jobs_beside_each_other(self):
        ran = self.run_well("async", options=["-p", "1"])
        self.assertEqual(ran.stdout, "both have ended\n")
        one, two = re.findall(r"JobID (\w+)", ran.stderr)
        self.assertEqual(self.cluster.printed(one), ["one> 1", "one> 2", "one> 3"])
        self.assertEqual(self.cluster.printed(two), ["two> 4", "two> 5", "two> 6"])

    def test_a_graph_that_differs_on_a_worker_is_refused_with_the_difference(self):
        ran = self.cluster.run_program(TEST_JOB, "differs", env={**os.environ, "TEST_JOB_FILTER": "1"})
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("plans another job than was submitted", ran.stderr)
        self.assertRegex(ran.stderr, r"expected '.*only large ones.*', found '.*all of them")

    def test_chosen_variables_are_the_same_everywhere(self):
        ran = self.run_well("differs", options=["--env", "TEST_JOB_FILTER=1", "-p", "1"])
        self.assertEqual(self.cluster.printed(job_of(ran)), ["6", "7", "8", "9", "10"])

    def test_results_of_an_earlier_job_are_not_made_up(self):
        ran = self.cluster.run_program(TEST_JOB, "uses-results")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("uses what came of its execution number 1 (its rows)", ran.stderr)

    def test_a_function_that_throws_is_the_jobs_failure_and_the_exit_code(self):
        ran = self.cluster.run_program(TEST_JOB, "throws")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertRegex(ran.stderr, r"operator 'picky' failed: .*seven is no number")

    def test_what_is_no_program_is_refused(self):
        for path, problem in (("/nowhere/job", "there is no program"), ("/etc/passwd", "not executable"), ("/usr/bin/ldd", "no executable of this system")):
            ran = self.cluster.run_program(path)
            self.assertEqual(ran.returncode, 2, ran.stderr)
            self.assertIn(problem, ran.stderr)
        self.assertIn("unknown", self.cluster.run_program(TEST_JOB, options=["-D", "no.such.key=1"]).stderr)

    def test_the_programs_own_exit_code_is_the_clients(self):
        self.assertEqual(self.cluster.run_program(TEST_JOB, "no-such-word").returncode, 2)


class FailuresTest(unittest.TestCase):
    SETTINGS = ["heartbeat.timeout=2 s", "heartbeat.interval=50 ms"]
    COUNT, RATE = 12000, 2000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-programs-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def start(self, cluster, *options, parallelism=2):
        """Starts the counting job, detached, and waits for a checkpoint; its id."""
        ran = cluster.run_program(TEST_JOB, "counts", self.folder / "output", str(self.COUNT), str(self.RATE),
                                  options=["-d", "-p", str(parallelism), *RESTART, "-D", "execution.checkpointing.interval=100 ms",
                                           "-D", f"execution.checkpointing.dir={self.folder / 'checkpoints'}", *options])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        job = job_of(ran)
        wait_for("a checkpoint", lambda: re.search(r"checkpoints [1-9]", cluster.info(job)))
        return job

    def check_output(self):
        """Every key counts from 1 on without a gap: no record was lost, none came twice."""
        counts = {}
        for part in (self.folder / "output").iterdir():
            if not part.name.startswith("."):
                for line in part.read_text().splitlines():
                    key, count = map(int, line.split(","))
                    counts.setdefault(key, []).append(count)
        self.assertEqual({key: sorted(each) for key, each in counts.items()}, {key: list(range(1, self.COUNT // 8 + 1)) for key in range(8)})

    def test_a_killed_worker_costs_no_record(self):
        with Cluster(THALWEG, workers=3, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            cluster.workers[next(name for name in cluster.workers if cluster.tasks_of(name))].kill()
            cluster.wait_for_end(job)
            self.assertRegex(cluster.info(job), r"attempt   [2-9]")
            self.check_output()

    def test_a_killed_coordinator_costs_no_record(self):
        with Cluster(THALWEG, workers=2, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            cluster.restart_coordinator()
            cluster.wait_for_end(job)
            self.check_output()

    def test_a_job_goes_on_from_a_savepoint_with_another_parallelism(self):
        with Cluster(THALWEG, workers=2, slots=2, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            stopped = cluster.run("stop", job, "--savepoint", self.folder / "savepoints")
            self.assertEqual(stopped.returncode, 0, stopped.stderr)
            self.assertIn("state     FINISHED", cluster.info(job))
            again = self.start(cluster, "-s", stopped.stdout.strip(), parallelism=3)
            cluster.wait_for_end(again)
            self.check_output()

    def test_a_cancelled_job_leaves_no_process(self):
        with Cluster(THALWEG, workers=2, slots=1, settings=self.SETTINGS) as cluster:
            job = self.start(cluster)
            self.assertIn(job, cluster.run("list").stdout)
            self.assertRegex(cluster.info(job), r"task      .*count per key")
            cluster.run("cancel", job)
            wait_for("its end", lambda: "state     CANCELED" in cluster.info(job))
            wait_for("the end of its processes", lambda: not any(cluster.tasks_of(name) for name in cluster.workers))


class IsolationTest(unittest.TestCase):
    """User code does what it should not, beside a job that must not notice."""
    SETTINGS = ["heartbeat.interval=50 ms", "taskmanager.memory.process.size=1600 mb"]

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-isolation-"))
        cls.cluster = Cluster(THALWEG, workers=1, slots=4, settings=cls.SETTINGS)
        ran = cls.cluster.run_program(TEST_JOB, "counts", cls.folder / "output", "1000000000", "200", options=["-d", "-p", "1"])
        cls.healthy = job_of(ran)
        wait_for("the healthy job", lambda: cls.rows() > 0)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()
        shutil.rmtree(cls.folder)

    @classmethod
    def rows(cls):
        return max([int(rows) for rows in re.findall(r"(\d+) rows in", cls.cluster.info(cls.healthy))], default=0)

    def tearDown(self):
        before = self.rows()
        wait_for("the healthy job to go on", lambda: self.rows() > before)
        info = self.cluster.info(self.healthy)
        self.assertIn("state     RUNNING", info)
        self.assertIn("attempt   1\n", info)
        self.assertIn("1 workers", self.cluster.run("cluster", "status").stdout)

    def misbehave(self, how, *options):
        ran = self.cluster.run_program(TEST_JOB, "misbehaves", how, options=["-d", "-p", "1", *options])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return job_of(ran)

    def failure_of(self, job):
        wait_for("its failure", lambda: "state     FAILED" in self.cluster.info(job))
        return self.cluster.info(job)

    def test_a_crash_is_told_with_signal_operator_and_stack(self):
        info = self.failure_of(self.misbehave("crash"))
        self.assertIn("was killed by signal 11 (Segmentation fault)", info)
        self.assertRegex(info, r"in task 'Source: numbers -> misbehaving -> .*', operator 'numbers'; the stack:")
        self.assertIn("cluster-test-job", info)

    def test_a_leak_ends_at_the_limit(self):
        info = self.failure_of(self.misbehave("leak"))
        self.assertRegex(info, r"(over its limit of 400 MB|at its limit).*'taskmanager.memory.process.size'")

    def test_an_endless_loop_is_told_and_goes_on(self):
        job = self.misbehave("loop")
        stuck = wait_for("the report", lambda: re.search(r"stuck     in .*\n(?:  .*\n)+", self.cluster.info(job)))
        self.assertRegex(stuck.group(), r"operator 'numbers' of task 'Source: numbers -> misbehaving.*' \[1\] for \d+ s, worker worker-1")
        self.assertIn("spinForEver", stuck.group())
        self.assertIn("state     RUNNING", self.cluster.info(job))
        self.cluster.run("cancel", job)
        wait_for("its end", lambda: "state     CANCELED" in self.cluster.info(job))

    def test_an_endless_loop_fails_the_attempt_if_that_is_asked_for(self):
        info = self.failure_of(self.misbehave("loop", "-D", "thalweg.task.stuck-timeout=2 s"))
        self.assertRegex(info, r"stuck in operator 'numbers' of task .* longer than 'thalweg.task.stuck-timeout' allows; its stack:")

    def test_what_user_code_forks_ends_with_it(self):
        before = set(self.group_members())
        job = self.misbehave("fork")
        wait_for("the fork", lambda: len(set(self.group_members()) - before) >= 2)
        self.cluster.run("cancel", job)
        wait_for("the end of both", lambda: set(self.group_members()) <= before)

    def group_members(self):
        """Processes of the groups that the worker's task processes lead, and of those whose leader has gone."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "exe").startswith(str(self.cluster.folder)):
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def test_closed_descriptors_are_told(self):
        self.assertIn("closed descriptors that are not its own", self.failure_of(self.misbehave("close")))

    def test_garbage_in_outputs_and_messages_harms_nobody(self):
        info = self.failure_of(self.misbehave("garbage"))
        self.assertIn("operator 'misbehaving' failed", info)
        self.assertIn("?( is no text", info)


if __name__ == "__main__":
    THALWEG, TEST_JOB = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
    unittest.main()
