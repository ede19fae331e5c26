"""A savepoint of every earlier version of the format is gone on from, and the whole is what an undisturbed run prints."""
import collections
import os
import re
import shutil
import sys
import unittest

MAKE = sys.argv.pop() if len(sys.argv) > 2 and sys.argv[2] == "--make" and sys.argv.pop(2) else None

from program import ProgramCase  # noqa: E402

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
SINKS = ("counts", "tops", "hops", "pairs", "sums")


def printed(out):
    """The lines of print sinks."""
    return collections.Counter(line for line in out.splitlines() if line.split(">")[0].split(":")[0] in SINKS)


class GoldenSavepointTest(ProgramCase):
    def run_job(self, path, *words):
        code, out, errors = self.run_program("sql", *words, "-f", os.path.join(path, "job.sql"))
        self.assertEqual(code, 0, errors)
        return out

    def test_a_job_goes_on_from_savepoints_of_all_versions(self):
        for version in sorted(os.listdir(GOLDEN)):
            path = os.path.join(GOLDEN, version)
            if not os.path.isdir(path):
                continue
            with self.subTest(version):
                savepoint = os.path.join(path, "savepoint")
                out = self.run_job(path, "-s", savepoint)
                self.assertIn(f"goes on from {savepoint}", out)
                with open(os.path.join(path, "before.txt"), encoding="utf-8") as before:
                    whole = printed(before.read()) + printed(out)
                expected = printed(self.run_job(path))
                self.assertEqual(whole - expected, collections.Counter(), "printed too often")
                self.assertEqual(expected - whole, collections.Counter(), "not printed")

    @unittest.skipUnless(MAKE, "makes a golden savepoint")
    def test_make(self):
        with open(os.path.join(MAKE, "job.sql"), encoding="utf-8") as job:
            text = job.read()
        text = f"SET 'execution.checkpointing.savepoint-dir' = '{self.folder}';\n" + text + (
            "CREATE TABLE pause (id BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '20', 'rows-per-second' = '100');\n"
            "CREATE TABLE nothing (id BIGINT) WITH ('connector' = 'blackhole');\nSET 'table.dml-sync' = 'true';\n"
            "INSERT INTO nothing SELECT id FROM pause;\nSTOP JOB '1' WITH SAVEPOINT;\n")
        code, out, errors = self.run_sql(text)
        self.assertEqual(code, 0, errors)
        shutil.copytree(re.search(r"\S*/savepoint-\S+", out).group(), os.path.join(MAKE, "savepoint"))
        with open(os.path.join(MAKE, "before.txt"), "w", encoding="utf-8") as before:
            before.write("".join(line + "\n" for line in printed(out).elements()))


if __name__ == "__main__":
    unittest.main()
