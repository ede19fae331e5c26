"""Files meant to break the program: read, or refused with path and line."""
import random
import os
import unittest

from program import ProgramCase

NOISE = random.Random(7).randbytes(100000)

# name: format, content, further options, what is shown (None: refused), words of the error
CASES = {
    "empty csv": ("csv", b"", "", "Empty set", ""),
    "csv with a byte order mark": ("csv", b"\xef\xbb\xbf1,a\n", "", "| 1 | a |", ""),
    "csv with CRLF": ("csv", b"1,a\r\n2,b\r\n", "", "| 2 | b |", ""),
    "csv without a last line end": ("csv", b"1,a\n2,b", "", "| 2 | b |", ""),
    "csv of many quotes": ("csv", b'1,"' + b'""' * 1000000 + b'"\n', "", "1 row in set", ""),
    "csv with NUL": ("csv", b"1,a\0b\n", "", "| 1 | a b |", ""),
    "csv cut inside quotes": ("csv", b'1,a\n2,"abc', "", None, "line 2"),
    "csv with a column too many": ("csv", b"1,a\n2,b,c\n", "", None, "line 2"),
    "csv with a column too few": ("csv", b"1,a\n2\n", "", None, "line 2"),
    "csv of another type": ("csv", b"1,a\nx,b\n", "", None, "line 2: column 'a': expected INT, found 'x'"),
    "csv of noise": ("csv", NOISE, "", None, "line 1"),
    "csv that is no UTF-8": ("csv", b"1,\xff\n", "", None, "line 1"),
    "csv of noise, skipped": ("csv", NOISE, ", 'csv.ignore-parse-errors' = 'true'", "malformed records were skipped", ""),
    "csv of zeros": ("csv", b"\0" * 1000000, ", 'csv.ignore-parse-errors' = 'true'", "row", ""),
    "empty json": ("json", b"", "", "Empty set", ""),
    "json with a byte order mark": ("json", b'\xef\xbb\xbf{"a":1,"b":"x"}\n', "", "| 1 | x |", ""),
    "json with CRLF": ("json", b'{"a":1,"b":"x"}\r\n{"a":2,"b":"y"}\r\n', "", "| 2 | y |", ""),
    "json in an array": ("json", b'[{"a":1,"b":"x"},{"a":2}]', "", "| 2 | <NULL> |", ""),
    "json cut in a string": ("json", b'{"a":1,"b":"x"}\n{"a":2,"b', "", None, "line 2"),
    "json of another type": ("json", b'{"a":"x"}\n', "", None, "field 'a': expected INT, found 'x'"),
    "json beyond INT": ("json", b'{"a":99999999999999999999}\n', "", None, "field 'a'"),
    "json of numbers": ("json", b"1\n2\n", "", None, "line 1: bad json: expected an object"),
    "json of noise": ("json", NOISE, "", None, "line 1"),
    "deep json": ("json", b'{"a":' + b"[" * 1000000 + b"\n", "", None, "nested"),
    "deep closed json": ("json", b'{"a":1,"b":' + b'{"x":' * 5000 + b"1" + b"}" * 5001 + b"\n", "", None, "nested"),
    "json of noise, skipped": ("json", NOISE, ", 'json.ignore-parse-errors' = 'true'", "malformed records were skipped", ""),
    "long json": ("json", b'{"a":1,"b":"' + b"x" * 20000000 + b'"}\n', "", "1 row in set", ""),
    "long json without end": ("json", b'{"a":1,"b":"' + b"x" * 20000000, "", None, "line 1"),
    "no such format": ("jsn", b"", "", None, "unknown format 'jsn'; did you mean 'json'?"),
    "no such option": ("csv", b"1,a\n", ", 'csv.field-delimitr' = ';'", None, "did you mean 'csv.field-delimiter'?"),
    "two characters as delimiter": ("csv", b"1,a\n", ", 'csv.field-delimiter' = 'ab'", None, "a single character, but is 'ab'"),
    "maybe": ("csv", b"1,a\n", ", 'csv.ignore-parse-errors' = 'maybe'", None, "must be true or false, but is 'maybe'"),
}


class HostileFiles(ProgramCase):
    def select(self, path, file_format="csv", options=""):
        return self.run_sql("SET 'sql-client.execution.result-mode' = 'table';"
                            f"CREATE TABLE t (a INT, b STRING) WITH ('connector' = 'filesystem', 'path' = '{path}', "
                            f"'format' = '{file_format}'{options});\nSELECT * FROM t;")

    def test_missing_file(self):
        code, _, errors = self.select(os.path.join(self.folder, "missing.csv"))
        self.assertEqual(code, 1)
        self.assertIn("missing.csv': No such file or directory", errors)

    def test_device(self):
        code, _, errors = self.select("/dev/zero")
        self.assertEqual(code, 1)
        self.assertIn("/dev/zero", errors)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_file_without_permission(self):
        path = self.file("locked.csv", "1,a\n")
        os.chmod(path, 0)
        code, _, errors = self.select(path)
        self.assertEqual(code, 1)
        self.assertIn("locked.csv': Permission denied", errors)

    def test_endless_line(self):
        path = self.file("long.csv", b"")
        os.truncate(path, 600 << 20)
        code, _, errors = self.select(path, "json")
        self.assertEqual(code, 1)
        self.assertIn("a record is longer than", errors)

    def test_target_below_a_file(self):
        path = self.file("file", b"")
        code, _, errors = self.run_sql(f"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = '{path}/x', "
                                       "'format' = 'csv');\nINSERT INTO t VALUES (1);")
        self.assertEqual(code, 1)
        self.assertIn(path, errors)


def add(name, file_format, content, options, shown, words):
    def test(self):
        path = self.file("input", content)
        code, out, errors = self.select(path, file_format, options)
        if shown is not None:
            self.assertEqual((code, errors), (0, ""))
            self.assertIn(shown, out)
            return
        self.assertEqual(code, 1, out)
        self.assertIn(words, errors)
        if words.startswith("line"):
            self.assertIn(path, errors)
        self.assertLess(len(errors), 3000, "an error is for reading")
    setattr(HostileFiles, "test_" + "".join(c if c.isalnum() else "_" for c in name), test)


for case_name, case in CASES.items():
    add(case_name, *case)

if __name__ == "__main__":
    unittest.main()
