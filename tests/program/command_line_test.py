"""Options, scripts, exit codes and the words of errors."""
import json
import os
import subprocess
import unittest

from program import HANGS_AFTER_S, THALWEG, ProgramCase

WRONG_USE = 2
INTERRUPTED = 130


class CommandLine(ProgramCase):
    def test_wrong_use_is_code_2_and_names_the_nearest(self):
        for words, expected in [
                ((), "Usage"),
                (("sqll",), "unknown verb 'sqll'; did you mean 'sql'?"),
                (("--versoin",), "unknown option '--versoin'; did you mean '--version'?"),
                (("sql", "--nosuch"), "--nosuch"),
                (("sql", "-e"), "--execute"),
                (("test",), "paths"),
                (("sql", "-f", "nosuch.sql"), "cannot read 'nosuch.sql': No such file or directory"),
                (("sql", "-f", "."), "cannot read '.': it is a folder"),
                (("sql", "-f", ""), "cannot read ''"),
                (("sql", "-i", "nosuch.sql", "-e", "SELECT 1"), "cannot read 'nosuch.sql'"),
                (("sql", "-D", "x", "-e", "SELECT 1"), "expected 'key=value', found 'x'"),
                (("sql", "-D", "paralelism.default=2"), "did you mean 'parallelism.default'?"),
                (("sql", "-D", "parallelism.default=0"), "expected at least 1, found '0'"),
                (("sql", "-D", "parallelism.default=40000"), "expected at most 32768, found '40000'"),
                (("sql", "-D", "execution.runtime-mode=x"), "expected one of STREAMING|BATCH|AUTOMATIC, found 'x'"),
                (("test", "nosuch"), "no such file or folder: nosuch")]:
            with self.subTest(words=words):
                code, out, errors = self.run_program(*words)
                self.assertEqual(code, WRONG_USE, errors)
                self.assertIn(expected, errors + out)

    def test_statements_run_in_order_and_the_first_failure_ends_them(self):
        init = self.file("init.sql", "CREATE VIEW v AS SELECT 7 AS a;")
        script = self.file("script.sql", "SELECT a FROM v; SELEC 1; SELECT 99;")
        code, out, errors = self.run_program("sql", "-i", init, "-f", script, "-e", "SELECT 98")
        self.assertEqual(code, 1)
        self.assertIn(" 7 |", out)
        self.assertNotIn("99", out)
        self.assertNotIn("98", out)
        self.assertIn("did you mean SELECT?", errors)

    def test_input_is_a_script(self):
        code, out, _ = self.run_program("sql", given=b"SELECT 1 + 1;\nSELECT 'x';")
        self.assertEqual(code, 0)
        self.assertIn(" 2 |", out)

    def test_a_zone_that_does_not_exist_is_refused_where_it_is_set(self):
        code, _, errors = self.run_program("sql", "-e", "SET 'table.local-time-zone' = 'Mars/Base'; SET 'parallelism.default' = '1'")
        self.assertEqual(code, 1)
        self.assertIn("'table.local-time-zone', value 'Mars/Base'", errors)

    def test_help_is_a_verb_too(self):
        code, out, _ = self.run_program("help")
        self.assertEqual(code, 0)
        self.assertIn("Usage: thalweg ", out)
        code, out, _ = self.run_program("sql", "--help")
        self.assertIn("without it, jobs run in this process", " ".join(out.split()))

    def test_closed_streams(self):
        ran = subprocess.run(["sh", "-c", 'exec "$0" sql <&-', THALWEG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS_AFTER_S, check=False)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"", b""))
        ran = subprocess.run(["sh", "-c", 'exec "$0" sql -e "SELECT 1" <&- >&-', THALWEG], stderr=subprocess.PIPE, timeout=HANGS_AFTER_S, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"standard output", ran.stderr)

    def test_a_statement_on_a_pipe_runs_before_the_pipe_is_closed(self):
        shell = subprocess.Popen([THALWEG, "sql"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        shell.stdin.write("-- one;\nSELECT 'sent',\n  'first';\n")
        shell.stdin.flush()
        lines = []
        while "first" not in (lines or [""])[-1]:       # hangs, and so fails, if the shell waits for the end of its input
            lines.append(shell.stdout.readline())
        out, _ = shell.communicate("SELECT 'then';\n", timeout=HANGS_AFTER_S)
        self.assertIn("then", out)
        self.assertEqual(shell.returncode, 0)

    def test_errors_of_input_count_its_lines_from_the_first(self):
        code, _, errors = self.run_program("sql", given=b"SELECT 1;\n\nSELECT 2;\nSELECT\n nosuch;\n")
        self.assertEqual(code, 1)
        self.assertIn("line 5, column 2", errors)

    def test_the_execution_plan_is_json(self):
        code, out, _ = self.run_program("sql", "-D", "sql-client.execution.result-mode=tableau", "-e",
                                        "EXPLAIN JSON_EXECUTION_PLAN SELECT a, COUNT(*) FROM (VALUES (1), (2)) AS t(a) GROUP BY a")
        self.assertEqual(code, 0)
        plan = json.loads(out[out.index("== Physical Execution Plan ==") + len("== Physical Execution Plan =="):out.rindex("}") + 1])
        self.assertEqual(plan["nodes"][0]["pact"], "Data Source")
        ids = {node["id"] for node in plan["nodes"]}
        self.assertTrue(all(before["id"] in ids for node in plan["nodes"][1:] for before in node["predecessors"]))

    def test_automatic_mode_is_refused_and_can_be_left(self):
        code, out, errors = self.run_program("sql", "-e", "SET 'execution.runtime-mode' = 'automatic'", "-e", "SELECT 1")
        self.assertEqual(code, 1)
        self.assertIn("SQL runs in 'streaming' or 'batch'", errors + out)
        code, out, _ = self.run_program("sql", "-e", "SET 'execution.runtime-mode' = 'automatic'",
                                        "-e", "SET 'execution.runtime-mode' = 'batch'", "-e", "SELECT 1 + 6")
        self.assertEqual(code, 0)
        self.assertIn("7", out)

    def test_quit_ends_the_script_well(self):
        code, out, _ = self.run_program("sql", "-e", "QUIT; SELECT 5", "-e", "SELECT 6")
        self.assertEqual((code, out), (0, ""))

    def test_errors_point_into_the_script(self):
        code, _, errors = self.run_sql("SELECT 1;\n\nSELECT 2; SELECT\n  1, nosuch FROM (VALUES (1)) AS t(a);\n")
        self.assertEqual(code, 1)
        self.assertTrue(errors.endswith("script.sql: PLAN_ERROR at line 4, column 6: column 'nosuch' is not known\n"
                                        "    1, nosuch FROM (VALUES (1)) AS t(a);\n       ^^^^^^\n"), errors)

    def test_failures_while_running_point_at_the_expression(self):
        code, _, errors = self.run_sql("SELECT 1;\nSELECT MOD(1, 0);\n")
        self.assertEqual(code, 1)
        self.assertIn("division by zero", errors)
        self.assertIn(" at line 2, column 8: ", errors)

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            code, _, errors = self.run_program("sql", "-e", "SELECT 1", stdout=full)
        self.assertEqual(code, 1)
        self.assertIn("standard output", errors)

    def test_a_failing_background_job_is_a_failure(self):
        code, out, errors = self.run_sql("CREATE TABLE b (a INT) WITH ('connector' = 'blackhole');"
                                         "INSERT INTO b SELECT MOD(1, 0); SELECT 'after';")
        self.assertEqual(code, 1)
        self.assertIn("after", out)
        self.assertIn("job 1: ", errors)

    def test_a_parallelism_beyond_memory_is_refused(self):
        code, _, errors = self.run_sql("CREATE TABLE g (a BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '9');"
                                       "SELECT a, COUNT(*) FROM g GROUP BY a;", "-D", "parallelism.default=20000")
        self.assertEqual(code, 1)
        self.assertIn("channels", errors)

    def test_a_broken_file_of_cases_does_not_keep_the_others_from_running(self):
        self.file("good.test", "# one\n--- query\nSELECT 1 AS a\n--- expect ordered\n(a INT NOT NULL)\n+I[1]\n")
        self.file("bad.test", "# two\n--- query\nSELECT 1 AS a\n--- expect orderd\n")
        code, out, errors = self.run_program("test", self.folder)
        self.assertEqual(code, 1, out + errors)
        self.assertIn("unknown kind of answer 'orderd'", out)
        self.assertIn("1 passed, 1 failed", out)

    def test_no_case_at_all_is_a_failure(self):
        self.file("good.test", "# one\n--- query\nSELECT 1 AS a\n--- expect ordered\n(a INT NOT NULL)\n+I[1]\n")
        code, out, _ = self.run_program("test", "--filter", "nothing like it", self.folder)
        self.assertEqual(code, 1, out)
        self.assertIn("no query was found that fits the filter", out)

    def test_a_case_writes_no_file_outside_its_folder(self):
        for name in ("../evil.txt", "/tmp/evil.txt", "a/../../evil.txt"):
            self.file("evil.test", f"# evil\n--- file {name}\nx\n--- query\nSELECT 1 AS a\n--- expect ordered\n(a INT NOT NULL)\n+I[1]\n")
            code, out, _ = self.run_program("test", self.folder)
            self.assertEqual(code, 1, out)
            self.assertIn("outside the case's folder", out)

    def test_rows_whose_order_does_not_count_are_told_apart_as_sets(self):
        rows = "".join(f"+I[{n}]\n" for n in (0, 2, 3, 4, 5, 6))
        self.file("set.test", f"# set\n--- query\nSELECT a FROM (VALUES 1, 2, 3, 4, 5, 6) AS t(a)\n--- expect unordered\n(a INT NOT NULL)\n{rows}")
        _, out, _ = self.run_program("test", self.folder)
        self.assertIn("    expected +I[0]\n    found    +I[1]\nfolder", out)

    def test_no_folder_for_temporary_files_is_an_error_not_a_crash(self):
        done = subprocess.run([THALWEG, "sql", "-D", "state.backend.type=rocksdb", "-e", "SELECT a, COUNT(*) FROM (VALUES 1) AS t(a) GROUP BY a"],
                              env=dict(os.environ, TMPDIR="/nonexistent"), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("state.backend.rocksdb.localdir", done.stderr + done.stdout)

    def test_output_that_is_no_terminal_has_no_control_codes(self):
        _, out, errors = self.run_program("sql", "-e", "SELECT 1", "-e", "CLEAR", "-e", "SELECT '\x1b[2J' AS a", "-e", "SELECT \x1b")
        self.assertNotIn("\x1b", out + errors)


class RandomValuesTest(ProgramCase):
    def values(self, *words):
        code, out, errors = self.run_sql("CREATE TABLE g (a BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '3');\n"
                                         "SELECT a, RAND() AS r FROM g;", "-D", "sql-client.execution.result-mode=TABLEAU", *words)
        self.assertEqual(code, 0, errors)
        return out

    def test_they_are_others_in_each_run_unless_a_seed_is_given(self):
        self.assertNotEqual(self.values(), self.values())
        self.assertEqual(self.values("-D", "thalweg.exec.random-seed=7"), self.values("-D", "thalweg.exec.random-seed=7"))
        self.assertNotEqual(self.values("-D", "thalweg.exec.random-seed=7"), self.values("-D", "thalweg.exec.random-seed=8"))


if __name__ == "__main__":
    unittest.main()
