"""Shows that check_flights.py tells right figures from wrong ones."""
import pathlib
import tempfile
import unittest

import check_flights

BATCH = """
+-------+--------+
| place | origin |
+-------+--------+
|     1 |    DFW |
+-------+--------+
1 row in set
"""

STREAMING = """
[INFO] submitted
+----+-------+--------+
| op | place | origin |
+----+-------+--------+
| +I |     1 |    LAX |
| -U |     1 |    LAX |
| +U |     1 |    DFW |
| +I |     2 |    LAX |
| -D |     2 |    LAX |
+----+-------+--------+
Received a total of 5 rows
"""


def table_of(text):
    return check_flights.applied(*check_flights.shown_table(text))


class CheckFlightsTest(unittest.TestCase):
    def test_a_changelog_and_a_plain_table_of_the_same_rows_are_equal(self):
        self.assertEqual(table_of(BATCH), table_of(STREAMING))
        self.assertEqual(table_of(BATCH), ({("1", "DFW"): 1}, []))

    def test_the_last_table_counts(self):
        self.assertEqual(table_of(STREAMING + BATCH), table_of(BATCH))

    def test_a_retraction_of_nothing_is_a_problem(self):
        _, problems = table_of(STREAMING.replace("| +I |     2", "| -D |     2"))
        self.assertEqual(len(problems), 2)

    def test_hidden_files_are_not_read(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "part-0").write_text('1,"a, b"\n')
            pathlib.Path(folder, ".part-1").write_text("2,c\n")
            self.assertEqual(check_flights.written_rows(folder), [("1", "a, b")])

    def test_missing_and_unexpected_rows_are_named(self):
        expected = check_flights.load_expected()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "part-0")
            rows = [",".join(map(str, (*row[:2], f'"{row[2]}"', f'"{row[3]}"', *row[4:]))) for row in expected.hourly()]
            routes = "+-+\n| place | origin | destination | flights | mean_delay |\n+-+\n" + "".join(
                "| " + " | ".join(map(str, row)) + " |\n" for row in expected.routes()) + "+-+\n"
            path.write_text("\n".join(rows) + "\n")
            self.assertEqual(check_flights.check(folder, routes), [])
            path.write_text("\n".join(rows[1:]) + "\n")
            self.assertEqual(len(check_flights.check(folder, routes)), 1)
            self.assertEqual(len(check_flights.check(folder, routes.replace("DFW", "XXX"))), 3)


if __name__ == "__main__":
    unittest.main()
