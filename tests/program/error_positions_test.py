"""Errors say where in the script what is wrong stands, also those that planning or the running job finds."""
import unittest

from program import ProgramCase

GENERATED = "CREATE TABLE g (n INT, s STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '5');\n"


class ErrorPositionsTest(ProgramCase):
    def fails_at(self, script, line, column, words, drawn):
        code, _, errors = self.run_sql(script)
        self.assertNotEqual(code, 0)
        self.assertIn(f" at line {line}, column {column}: ", errors)
        self.assertIn(words, errors)
        self.assertIn(drawn, errors)

    def test_an_order_that_a_stream_cannot_have(self):
        self.fails_at(GENERATED + "SELECT n FROM g\n  ORDER BY n DESC;", 3, 12, "ORDER BY without LIMIT", "  ORDER BY n DESC")

    def test_a_window_that_a_stream_cannot_have(self):
        self.fails_at(GENERATED + "SELECT n,\n  NTILE(2) OVER (ORDER BY n) AS t FROM g;", 3, 3, "NTILE", "NTILE(2)")

    def test_options_of_a_table_at_the_table(self):
        table = "CREATE TABLE t (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = 'many');\n"
        self.fails_at(table + "SELECT 1, n\nFROM t;", 3, 6, "rows-per-second", "FROM t")
        table = "CREATE TABLE t (n INT) WITH ('connector' = 'datagen', 'scan.parallelism' = '0');\n"
        self.fails_at(table + "SELECT 1, n\nFROM t;", 3, 6, "scan.parallelism", "FROM t")

    def test_a_sink_that_cannot_take_updates_at_the_sink(self):
        sink = "CREATE TABLE o (n INT, c BIGINT) WITH ('connector' = 'filesystem', 'path' = 'o', 'format' = 'csv');\n"
        self.fails_at(GENERATED + sink + "INSERT INTO o\nSELECT n, COUNT(*) FROM g GROUP BY n;", 3, 13, "does not support consuming update", "INSERT INTO o")

    def test_an_expression_that_fails_while_the_job_runs(self):
        values = "SELECT 1 AS a,\n  CAST(s AS INT) AS n FROM (VALUES ('1'), ('x')) AS t(s);"
        self.fails_at(values, 2, 3, "'x'", "CAST(s AS INT) AS n")
        written = "CREATE TABLE o (n INT) WITH ('connector' = 'blackhole');\nINSERT INTO o\nSELECT CAST(s AS INT) FROM (VALUES ('x'), ('1')) AS t(s);"
        code, _, errors = self.run_sql(written)
        self.assertNotEqual(code, 0)
        self.assertIn("SELECT CAST(s AS INT) FROM", errors)

    def test_what_fails_within_a_view_is_not_sought_in_the_query(self):
        view = "CREATE VIEW v AS SELECT n FROM g\n\n  ORDER BY n DESC;\n"
        code, _, errors = self.run_sql(GENERATED + view + "SELECT * FROM v;")
        self.assertNotEqual(code, 0)
        self.assertNotIn("^", errors)
        computed = "CREATE TABLE c (s STRING, n AS CAST(s AS INT)) WITH ('connector' = 'datagen', 'number-of-rows' = '3');\n"
        code, _, errors = self.run_sql(computed + "SELECT n FROM c;")
        self.assertNotEqual(code, 0)
        self.assertNotIn("^", errors)


if __name__ == "__main__":
    unittest.main()
