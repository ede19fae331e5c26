"""TPC-H at scale 0.01 in batch mode: the rows that DuckDB gave for the same files (`--record`, needs DuckDB), in much and in
little memory, and exactly what Flink gave (flink.test)."""
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


    def test_exactly_as_flink(self):
        text = (ANSWERS.parent / "flink.test").read_text().replace("${folder}", self.folder.name)
        with tempfile.TemporaryDirectory(prefix="tpch-flink-") as scratch:
            case = Path(scratch, "flink.test")
            case.write_text(text)
            for options in ([], ["--parallelism", "2"]):
                done = subprocess.run([PROGRAM, "test", str(case), *options], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


def add(number, name, settings):
    def test(self):
        with open(ANSWERS / f"q{number}.csv", newline="", encoding="utf-8") as file:
            expected = [[None if field == "NULL" else field for field in row] for row in csv.reader(file)]
        found, *_ = tpch.engine_rows(PROGRAM, self.folder.name, number, ["parallelism.default=2", *settings])
        self.assertEqual(tpch.difference(expected, found), "")
    setattr(TpchQueries, f"test_query_{number:02}{name}", test)


def record():
    with tempfile.TemporaryDirectory(prefix="tpch-data-") as folder:
        write_files(folder)
        for number in tpch.QUERIES:
            rows, _ = tpch.duck_rows(folder, number, 1)
            with open(ANSWERS / f"q{number}.csv", "w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows([["NULL" if v is None else v for v in row] for row in rows])


for query in tpch.QUERIES:
    add(query, "", [])
    # So little that everything that can leaves memory: a limit of 0 asks for that.
    add(query, "_on_disk", ["state.backend.type=rocksdb", "taskmanager.memory.process.size=0 b", "thalweg.exec.batch-rows=2000"])

if __name__ == "__main__":
    if sys.argv[3:] == ["--record"]:
        record()
    else:
        unittest.main(argv=sys.argv[:1])
