"""The interactive shell on a terminal of its own, and Ctrl-C."""
import os
import pty
import select
import signal
import subprocess
import time
import unittest

from program import HANGS_AFTER_S, THALWEG, ProgramCase

ENDLESS = "CREATE TABLE g (a BIGINT) WITH ('connector' = 'datagen');"
BLACKHOLE = "CREATE TABLE b (a BIGINT) WITH ('connector' = 'blackhole');"
CTRL_C, CTRL_D = b"\x03", b"\x04"


class Terminal(ProgramCase):
    def start(self, *words):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm", XDG_STATE_HOME=self.folder)
            os.execv(THALWEG, [THALWEG, "sql", *words])
        self.addCleanup(os.close, self.terminal)
        self.pid, self.seen = pid, ""

    def await_text(self, text):
        """Reads until `text` has come since the last call."""
        end = time.monotonic() + HANGS_AFTER_S
        while text not in self.seen:
            self.assertLess(time.monotonic(), end, f"no {text!r} in {self.seen!r}")
            if not select.select([self.terminal], [], [], 1)[0]:
                continue
            try:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                self.fail(f"ended without {text!r}: {self.seen!r}")
        self.passed, _, self.seen = self.seen.partition(text)

    def type(self, content):
        os.write(self.terminal, content if isinstance(content, bytes) else content.encode())

    def exit_code(self):
        while True:                       # drain, or the program could not write its last words
            if not select.select([self.terminal], [], [], HANGS_AFTER_S)[0]:
                os.kill(self.pid, signal.SIGKILL)
                self.fail(f"the program does not end: {self.seen!r}")
            try:
                if not os.read(self.terminal, 65536):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def test_ctrl_c_ends_the_query_and_not_the_shell(self):
        self.start()
        self.await_text("thalweg> ")
        self.type(ENDLESS + "\n")
        self.await_text("thalweg> ")
        self.type("SELECT COUNT(*) AS n FROM g;\n")
        self.await_text("rows/s")
        self.type(CTRL_C)
        self.await_text("Query terminated")
        self.await_text("thalweg> ")
        self.type("SELECT 'still ' || 'here' AS a;\n")
        self.await_text("still here")
        self.await_text("thalweg> ")
        self.type(CTRL_D)
        self.assertEqual(self.exit_code(), 0)

    def test_ctrl_c_drops_the_line(self):
        self.start()
        self.await_text("thalweg> ")
        self.type("SELECT nonsense")
        self.await_text("nonsense")
        self.type(CTRL_C)
        self.await_text("thalweg> ")
        self.type("SELECT 40 + 2 AS a;\n")
        self.await_text("42")
        self.await_text("thalweg> ")     # what is typed before the editor has the terminal is lost
        self.type("QUIT;\n")
        self.assertEqual(self.exit_code(), 0)

    def test_text_beyond_ascii_can_be_typed(self):
        self.start()
        self.await_text("thalweg> ")
        self.type("SELECT CHAR_LENGTH('größe 日本') + 100 AS a;\n")
        self.await_text("108")
        self.await_text("thalweg> ")     # what is typed before the editor has the terminal is lost
        self.type("QUIT;\n")
        self.assertEqual(self.exit_code(), 0)

    def test_quitting_waits_for_jobs_and_ctrl_c_ends_them(self):
        self.start()
        self.await_text("thalweg> ")
        self.type(ENDLESS + "CREATE TABLE b (a BIGINT) WITH ('connector' = 'blackhole'); INSERT INTO b SELECT a FROM g;\n")
        self.await_text("Job 1 has been started")
        self.await_text("thalweg> ")     # what is typed before the editor has the terminal is lost
        self.type("QUIT;\n")
        self.await_text("Waiting for 1 job")
        self.type(CTRL_C)
        self.await_text("cancelled")
        self.assertEqual(self.exit_code(), 130)

    def test_a_job_that_failed_is_announced_before_the_prompt(self):
        path = self.file("bad.csv", "x\n")
        self.start()
        self.await_text("thalweg> ")
        self.type(f"CREATE TABLE bad (a BIGINT) WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv'); {BLACKHOLE}\n")
        self.await_text("thalweg> ")
        self.type("INSERT INTO b SELECT a FROM bad;\n")
        self.await_text("Job 1 has been started")
        told = ""
        end = time.monotonic() + HANGS_AFTER_S
        while "job 1: " not in told:     # it may fail a prompt or two later
            self.assertLess(time.monotonic(), end, f"not announced: {told[-2000:]!r}")
            self.await_text("thalweg> ")
            told += self.passed
            self.type("SHOW JOBS;\n")
            self.await_text("in set")
            told += self.passed
        self.await_text("thalweg> ")
        self.type("STOP JOB '1';\n")
        self.await_text("job 1: ")
        self.await_text("thalweg> ")
        self.type("QUIT;\n")
        self.assertEqual(self.exit_code(), 1)

    def test_tab_completes_a_setting_and_indents(self):
        self.start()
        self.await_text("thalweg> ")
        self.type("\tSET 'parallelism.de\t = '3';\n")
        self.await_text("succeeded")
        self.await_text("thalweg> ")
        self.type("SET;\n")
        self.await_text("parallelism.default")
        self.await_text("in set")
        self.await_text("thalweg> ")
        self.type("QUIT;\n")
        self.assertEqual(self.exit_code(), 0)

    def test_history_is_kept_when_the_shell_is_ended(self):
        for answer, end in (("41", signal.SIGTERM), ("42", signal.SIGHUP)):
            self.start()
            self.await_text("thalweg> ")
            self.type(f"SELECT {answer} - 0 AS a;\n")
            self.await_text("in set")
            os.kill(self.pid, end)
            os.waitpid(self.pid, 0)
        with open(os.path.join(self.folder, "thalweg", "sql_history"), encoding="utf-8") as history:
            kept = history.read()
        for answer in ("41", "42"):
            self.assertIn(answer, kept)

    def test_wide_rows_do_not_wrap(self):
        self.start("-e", "SELECT REPEAT('x', 25) AS a, REPEAT('x', 25) AS b, REPEAT('x', 25) AS c, REPEAT('x', 25) AS d")
        self.await_text("+-")
        self.await_text("\n")
        line, _, _ = self.seen.partition("\n")
        self.assertLessEqual(len(line.rstrip("\r")), 80)
        self.assertEqual(self.exit_code(), 0)


class Jobs(ProgramCase):
    def test_a_job_that_failed_ends_the_others(self):
        bad = self.file("bad.csv", "x\n")
        code, _, errors = self.run_program(
            "sql", "-e", f"{ENDLESS}{BLACKHOLE} CREATE TABLE bad (a BIGINT) WITH ('connector' = 'filesystem', 'path' = '{bad}', 'format' = 'csv');"
            "INSERT INTO b SELECT a FROM g; INSERT INTO b SELECT a FROM bad")
        self.assertEqual(code, 1)
        self.assertIn("job 2: ", errors)
        self.assertIn("job 1 is cancelled", errors)

    def test_skipped_records_are_told(self):
        path = self.file("some.json", '{"a":1}\nx\n{"a":2}\n')
        table = (f"CREATE TABLE t (a BIGINT) WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'json', "
                 f"'json.ignore-parse-errors' = 'true'); {BLACKHOLE}")
        for waits, told in (("true", "\n1 malformed record was skipped\n"), ("false", "Job 1: 1 malformed record was skipped\n")):
            code, out, errors = self.run_sql(f"SET 'table.dml-sync' = '{waits}'; {table} INSERT INTO b SELECT a FROM t;")
            self.assertEqual(code, 0, errors)
            self.assertIn(told, out)


class Interrupt(ProgramCase):
    def test_ctrl_c_ends_a_script_with_code_130(self):
        script = self.file("script.sql", ENDLESS + "SET 'sql-client.execution.result-mode' = 'tableau';"
                           "SELECT a FROM g; SELECT 'after';")
        with subprocess.Popen([THALWEG, "sql", "-f", script], stdout=subprocess.PIPE) as running:
            while b"+I" not in running.stdout.readline():
                pass
            running.send_signal(signal.SIGINT)
            rest = running.stdout.read()
        self.assertEqual(running.returncode, 130)
        self.assertNotIn(b"after", rest)

    def test_a_pipe_gets_the_rows_of_a_stream_as_they_come(self):
        with subprocess.Popen([THALWEG, "sql", "-e", ENDLESS + "SELECT a FROM g"], stdout=subprocess.PIPE) as running:
            lines = [running.stdout.readline().decode() for _ in range(6)]
            running.stdout.close()
            self.assertIn("| op |", "".join(lines))
            self.assertRegex(lines[5], r"\| \+I \| +-?\d+ \|")
            self.assertNotEqual(running.wait(HANGS_AFTER_S), 0)

    def test_a_reader_that_leaves_ends_the_program(self):
        with subprocess.Popen([THALWEG, "sql", "-D", "sql-client.execution.result-mode=tableau", "-e",
                               ENDLESS + "SELECT a FROM g"], stdout=subprocess.PIPE) as running:
            running.stdout.readline()
            running.stdout.close()
            self.assertNotEqual(running.wait(HANGS_AFTER_S), 0)


if __name__ == "__main__":
    unittest.main()
