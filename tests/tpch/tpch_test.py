"""TPC-H at scale 0.01 in batch mode: the rows that DuckDB gave for the same files (`--record`, needs DuckDB)."""
import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "tpch"))
import tpch  # noqa: E402

ANSWERS = Path(__file__).resolve().parent / "answers"
SCALE = "0.01"
PROGRAM, GENERATOR = sys.argv[1:3]


def write_files(folder):
    subprocess.run([GENERATOR, folder, SCALE], check=True)


class TpchQueries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="tpch-data-")
        write_files(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


def add(number):
    def test(self):
        with open(ANSWERS / f"q{number}.csv", newline="", encoding="utf-8") as file:
            expected = [[None if field == "NULL" else field for field in row] for row in csv.reader(file)]
        found, _, _ = tpch.engine_rows(PROGRAM, self.folder.name, number, ["parallelism.default=2"])
        self.assertEqual(tpch.difference(expected, found), "")
    setattr(TpchQueries, f"test_query_{number:02}", test)


def record():
    with tempfile.TemporaryDirectory(prefix="tpch-data-") as folder:
        write_files(folder)
        for number in tpch.QUERIES:
            rows, _ = tpch.duck_rows(folder, number, 1)
            with open(ANSWERS / f"q{number}.csv", "w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows([["NULL" if v is None else v for v in row] for row in rows])


for query in tpch.QUERIES:
    add(query)

if __name__ == "__main__":
    if sys.argv[3:] == ["--record"]:
        record()
    else:
        unittest.main(argv=sys.argv[:1])
