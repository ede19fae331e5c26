"""Savepoints as a user meets them: STOP JOB … WITH SAVEPOINT, starting from one, and looking into one."""
import json
import os
import re
import unittest

from program import ProgramCase

TABLES = """
  CREATE TABLE numbers (id BIGINT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1',
    'fields.id.end' = '{end}', 'rows-per-second' = '{rate}');
  CREATE TABLE sums (k BIGINT, c BIGINT) WITH ('connector' = 'print');
"""
INSERT = "INSERT INTO sums SELECT MOD(id, 3), COUNT(*) FROM numbers GROUP BY MOD(id, 3);\n"


class SavepointTest(ProgramCase):
    def stop(self, *words):
        """Runs a job that would go on for ever and stops it; its output and the savepoint's path."""
        text = f"SET 'execution.checkpointing.savepoint-dir' = '{self.folder}/savepoints';\n" + TABLES.format(end=10**12, rate=100) + INSERT
        text += ("SET 'table.dml-sync' = 'true';\nCREATE TABLE pause (id BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '20', "
                 "'rows-per-second' = '100');\nCREATE TABLE nothing (id BIGINT) WITH ('connector' = 'blackhole');\n"
                 "INSERT INTO nothing SELECT id FROM pause;\n")
        code, out, errors = self.run_sql(text + "SHOW JOBS;\nSTOP JOB '1' WITH SAVEPOINT;\nSHOW JOBS;\n", *words)
        self.assertEqual(code, 0, errors)
        self.assertIn("RUNNING", out)
        self.assertIn("FINISHED", out)
        path = re.search(r"\S*/savepoints/savepoint-\S+", out)
        self.assertTrue(path, out)
        return out, path.group()

    @staticmethod
    def last_counts(out):
        counts = {}
        for k, c in re.findall(r"\+[IU]\[(\d), (\d+)\]", out):
            counts[int(k)] = int(c)
        return counts

    def test_a_job_goes_on_from_where_it_was_stopped(self):
        out, path = self.stop()
        before = sum(self.last_counts(out).values())
        rest = TABLES.format(end=before + 30, rate=100000) + INSERT
        for words in (["-s", path], ["-D", f"execution.savepoint.path={path}"]):
            code, out, errors = self.run_sql(rest, *words)
            self.assertEqual(code, 0, errors)
            self.assertIn(f"goes on from {path}", out)
            self.assertEqual(sum(self.last_counts(out).values()), before + 30)
            self.assertEqual(len(re.findall(r"\+[IU]\[", out)), 30)

    def test_state_that_nobody_claims_is_left_out_on_demand_only(self):
        _, path = self.stop()
        other = TABLES.format(end=10, rate=100000) + "INSERT INTO sums SELECT id, id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY MOD(id, 5) ORDER BY id) AS r FROM numbers) WHERE r <= 2;\n"
        code, _, errors = self.run_sql(other, "-s", path)
        self.assertEqual(code, 1)
        self.assertIn("--allow-non-restored-state", errors)
        code, _, errors = self.run_sql(other, "-s", path, "--allow-non-restored-state")
        self.assertEqual(code, 0, errors)

    def test_state_that_was_kept_by_another_expression_does_not_go_on(self):
        _, path = self.stop()
        other = TABLES.format(end=10, rate=100000) + INSERT.replace("MOD(id, 3)", "MOD(id, 4)")
        code, _, errors = self.run_sql(other, "-s", path)
        self.assertEqual(code, 1)
        self.assertIn("MOD(id, 3)", errors)
        self.assertIn("MOD(id, 4)", errors)
        code, out, errors = self.run_sql(other, "-s", path, "--allow-non-restored-state")
        self.assertEqual(code, 0, errors)
        self.assertTrue(all(count < 11 for count in self.last_counts(out).values()))
        # A filter may change, and what is kept goes on.
        filtered = TABLES.format(end=1000, rate=100000) + INSERT.replace("FROM numbers", "FROM numbers WHERE id < 1000000")
        code, _, errors = self.run_sql(filtered, "-s", path)
        self.assertEqual(code, 0, errors)

    def test_a_savepoint_can_be_looked_into(self):
        out, path = self.stop("-D", "parallelism.default=2")
        keys = len(self.last_counts(out))
        code, info, errors = self.run_program("state", "info", path)
        self.assertEqual(code, 0, errors)
        self.assertIn("savepoint 1 of job", info)
        self.assertIn(f": {keys} keys", info)
        code, rows, errors = self.run_program("state", "read", path, "--operator", "GroupAggregate", "--format", "json")
        self.assertEqual(code, 0, errors)
        entries = [json.loads(line) for line in rows.splitlines()]
        self.assertEqual(len({entry["key"] for entry in entries}), keys)
        code, rows, _ = self.run_program("state", "read", path, "--operator", "GroupAggregate")
        self.assertEqual((code, len(rows.splitlines())), (0, keys + 1))

    def test_with_the_script_entries_are_rows_with_names_and_types(self):
        out, path = self.stop("-D", "parallelism.default=2")
        script = self.file("job.sql", TABLES.format(end=10, rate=1) + INSERT)
        code, info, errors = self.run_program("state", "info", path, "--sql", script)
        self.assertEqual(code, 0, errors)
        self.assertRegex(info, r"keys \S+ INT; values \S+ BIGINT NOT NULL")
        code, rows, errors = self.run_program("state", "read", path, "--operator", "GroupAggregate", "--sql", script, "--format", "json")
        self.assertEqual(code, 0, errors)
        entries = [json.loads(line) for line in rows.splitlines()]
        self.assertTrue(all(entry["_table"] == "groups" and entry["_subtask"] in (0, 1) for entry in entries))
        found = dict(tuple(value for name, value in entry.items() if not name.startswith("_")) for entry in entries)
        self.assertEqual(found, self.last_counts(out))
        code, rows, _ = self.run_program("state", "read", path, "--operator", "GroupAggregate", "--table", "groups", "--sql", script)
        self.assertEqual((code, len(rows.splitlines())), (0, len(found) + 1))
        other = self.file("other.sql", TABLES.format(end=10, rate=1) + "INSERT INTO sums SELECT id, id FROM numbers;")
        code, _, errors = self.run_program("state", "read", path, "--operator", "GroupAggregate", "--sql", other)
        self.assertEqual(code, 1)
        self.assertIn("the script", errors)
        code, _, errors = self.run_program("state", "read", path, "--operator", "GroupAggregate", "--table", "none")
        self.assertEqual(code, 1)
        self.assertIn("no table 'none'", errors)

    def test_rows_that_are_kept_are_shown_as_they_are(self):
        settings = f"SET 'execution.checkpointing.savepoint-dir' = '{self.folder}/savepoints';\n"
        tables = ("CREATE TABLE numbers (id BIGINT, name AS CONCAT('n', CAST(id AS STRING)), born AS DATE '2024-02-29') WITH ('connector' = 'datagen', "
                  "'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '8', 'rows-per-second' = '1000');\n"
                  "CREATE TABLE slow (id BIGINT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '1000000', 'rows-per-second' = '10');\n"
                  "CREATE TABLE joined (id BIGINT, name STRING, born DATE, other BIGINT) WITH ('connector' = 'blackhole');\n")
        insert = "INSERT INTO joined SELECT n.id, n.name, n.born, s.id FROM numbers n LEFT JOIN slow s ON n.id = s.id + 100000;\n"
        wait = ("SET 'table.dml-sync' = 'true';\nCREATE TABLE pause (id BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '50', 'rows-per-second' = '100');\n"
                "CREATE TABLE nothing (id BIGINT) WITH ('connector' = 'blackhole');\nINSERT INTO nothing SELECT id FROM pause;\n")
        code, out, errors = self.run_sql(settings + tables + insert + wait + "STOP JOB '1' WITH SAVEPOINT;\n")
        self.assertEqual(code, 0, errors)
        path = re.search(r"\S*/savepoints/savepoint-\S+", out).group()
        script = self.file("join.sql", settings + tables + insert)
        code, rows, errors = self.run_program("state", "read", path, "--operator", "Join", "--table", "left", "--sql", script, "--format", "json")
        self.assertEqual(code, 0, errors)
        entries = sorted((json.loads(line) for line in rows.splitlines()), key=lambda entry: entry["id"])
        self.assertEqual([(entry["id"], entry["name"]) for entry in entries], [(n, f"n{n}") for n in range(1, 9)])

    def test_wrong_names_are_explained(self):
        code, _, errors = self.run_sql("STOP JOB 'x' WITH SAVEPOINT;")
        self.assertEqual(code, 1)
        self.assertIn("there is no job 'x'", errors)
        code, _, errors = self.run_sql(TABLES.format(end=100, rate=100) + INSERT + "STOP JOB '1' WITH SAVEPOINT;")
        self.assertEqual(code, 1)
        self.assertIn("execution.checkpointing.savepoint-dir", errors)
        code, _, errors = self.run_program("state", "info", os.path.join(self.folder, "none"))
        self.assertEqual(code, 1)
        self.assertIn("none", errors)

    def test_a_savepoint_that_cannot_be_written_leaves_the_job_going(self):
        text = f"SET 'execution.checkpointing.savepoint-dir' = '{self.file('in-the-way', '')}';\n" + TABLES.format(end=200, rate=200) + INSERT
        code, out, errors = self.run_sql(text + "STOP JOB '1' WITH SAVEPOINT;\n")
        self.assertEqual(code, 1)
        self.assertIn("in-the-way", errors)
        self.assertEqual(sum(self.last_counts(out).values()), 200)

    def test_a_job_is_cancelled_by_its_number(self):
        code, out, errors = self.run_sql(TABLES.format(end=10**12, rate=10) + INSERT + "STOP JOB '1';\nSHOW JOBS;")
        self.assertEqual(code, 0, errors)
        self.assertIn("CANCELED", out)


if __name__ == "__main__":
    unittest.main()
