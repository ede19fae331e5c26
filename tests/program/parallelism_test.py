"""'scan.parallelism' and 'sink.parallelism' of a table: who reads and writes it, and what is refused."""
import unittest

from program import ProgramCase

SOURCE = "CREATE TABLE g (a INT, b INT) WITH ('connector' = 'datagen', 'number-of-rows' = '100', 'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '100'{more});\n"
SINK = "CREATE TABLE p (a INT, n BIGINT{key}) WITH ('connector' = '{connector}'{more});\n"


class ParallelismTest(ProgramCase):
    def script(self, scan="", sink="", connector="print", key=""):
        option = lambda name, value: f", '{name}.parallelism' = '{value}'" if value else ""
        return SOURCE.format(more=option("scan", scan)) + SINK.format(connector=connector, key=key, more=option("sink", sink))

    def tasks(self, text):
        code, out, errors = self.run_sql(text)
        self.assertEqual(code, 0, errors)
        return [line for line in out.splitlines() if line.startswith("task ")]

    def test_a_source_has_its_own_and_what_follows_goes_along(self):
        tasks = self.tasks(self.script(scan="3") + "EXPLAIN INSERT INTO p SELECT a, 1 FROM g;")
        self.assertEqual(len(tasks), 1)
        self.assertIn("(parallelism 3)", tasks[0])

    def test_a_sink_has_its_own(self):
        tasks = self.tasks(self.script(sink="2") + "EXPLAIN INSERT INTO p SELECT a, 1 FROM g;")
        self.assertEqual(len(tasks), 2)
        self.assertIn("(parallelism 1)", tasks[0])
        self.assertIn("(parallelism 2)", tasks[1])

    def test_every_row_is_written_once(self):
        code, out, errors = self.run_sql(self.script(scan="2", sink="3") + "INSERT INTO p SELECT a, 1 FROM g;")
        self.assertEqual(code, 0, errors)
        rows = [line.split("> ", 1) for line in out.splitlines() if "> +I" in line]
        self.assertEqual(sorted(int(row[1][3:].split(",")[0]) for row in rows), list(range(1, 101)))
        self.assertLessEqual({row[0] for row in rows}, {"1", "2", "3"}, "a batch goes to one of them")

    def test_changes_of_a_row_stay_together_by_the_key(self):
        query = "INSERT INTO p SELECT MOD(a, 10) AS a, COUNT(*) FROM g GROUP BY MOD(a, 10);"
        code, out, errors = self.run_sql(self.script(sink="2", key=", PRIMARY KEY (a) NOT ENFORCED") + query)
        self.assertEqual(code, 0, errors)
        last = {}
        for line in out.splitlines():
            if "> " not in line or "[" not in line:
                continue
            key, count = line[line.index("[") + 1:-1].split(", ")
            last[key] = count
        self.assertEqual(last, {str(key): "10" for key in range(10)})
        code, out, errors = self.run_sql(self.script(sink="2") + query)
        self.assertNotEqual(code, 0)
        self.assertRegex(out + errors, "sink.parallelism.*PRIMARY KEY")

    def test_what_is_no_number_above_0_is_refused(self):
        for value in ("0", "-1"):
            code, out, errors = self.run_sql(self.script(scan=value) + "SELECT * FROM g;")
            self.assertNotEqual(code, 0)
            self.assertIn("'scan.parallelism'", out + errors)


if __name__ == "__main__":
    unittest.main()
