"""SQL meant to break the program: it answers or refuses, and says where."""
import unittest

from program import ProgramCase


def ranging(count):
    return ",".join(map(str, range(count)))


# name: script, whether it is answered
CASES = {
    "string without end": ("SELECT 'abc", False),
    "name without end": ("SELECT `abc", False),
    "comment without end": ("SELECT 1 /* abc", False),
    "hint without end": ("SELECT /*+ abc", False),
    "line comment without end": ("SELECT 1 -- abc", True),
    "only semicolons": (";;;", True),
    "5,000 parentheses": ("SELECT " + "(" * 5000 + "1" + ")" * 5000, False),
    "a million open parentheses": ("SELECT " + "(" * 1000000, False),
    "5,000 CASEs": ("SELECT " + "CASE WHEN TRUE THEN " * 5000 + "1" + " END" * 5000, False),
    "5,000 sub-queries": ("SELECT * FROM " + "(SELECT * FROM " * 5000 + "t" + ")" * 5000, False),
    "10,000 minus signs": ("SELECT " + "- " * 10000 + "1", False),
    "10,000 NOTs": ("SELECT " + "NOT " * 10000 + "TRUE", False),
    "10,000 sums": ("SELECT " + "+".join(["1"] * 10000), False),
    "900 sums": ("SELECT " + "+".join(["1"] * 900), True),
    "50,000 ANDs": ("SELECT " + " AND ".join(["TRUE"] * 50000), True),
    "50,000 ORs": ("SELECT a FROM (VALUES (1)) AS t(a) WHERE " + " OR ".join(f"a={i}" for i in range(50000)), True),
    "3,000 unions": ("SELECT 1" + " UNION ALL SELECT 1" * 3000, False),
    "100 joins": ("SELECT 1 FROM (VALUES (1)) AS t(a) " +
                  " ".join(f"JOIN (VALUES (1)) AS t{i}(a) ON t.a = t{i}.a" for i in range(100)), True),
    "a text of 1 MB": ("SELECT CHAR_LENGTH('" + "x" * 1000000 + "')", True),
    "a statement of 9 MB": ("SELECT '" + "x" * 9000000 + "'", False),
    "5,000 columns": ("SELECT " + ",".join(f"{i} AS c{i}" for i in range(5000)), True),
    "IN of 100,000 numbers": (f"SELECT a FROM (VALUES (1)) AS t(a) WHERE a IN ({ranging(100000)})", True),
    "NOT IN of 100,000 numbers": (f"SELECT a FROM (VALUES (1)) AS t(a) WHERE a NOT IN ({ranging(100000)})", True),
    "IN of 100,000 texts": ("SELECT a FROM (VALUES ('1')) AS t(a) WHERE a IN (" +
                            ",".join(f"'{i}'" for i in range(100000)) + ")", True),
    "50,000 rows of VALUES": ("SELECT COUNT(*) FROM (VALUES " + ",".join(f"({i})" for i in range(50000)) + ") AS t(a)", True),
    "NUL between tokens": (b"SELECT 1\0;", False),
    "NUL in a text": (b"SELECT 'a\0b';", True),
    "text that is no UTF-8": (b"SELECT '\xff\xfe\xc3';", False),
    "a name that is no UTF-8": (b"SELECT 1 AS `\xff\xfe`;", False),
    "UTF-16": ("SELECT 1;".encode("utf-16"), False),
    "a byte order mark": (b"\xef\xbb\xbfSELECT 1;", True),
    "100 digits": ("SELECT " + "9" * 100, False),
    "100,000 digits": ("SELECT " + "9" * 100000, False),
    "1e400": ("SELECT 1e400", False),
    "1e99999999999999999999": ("SELECT 1e99999999999999999999", False),
    "1e-99999": ("SELECT 1e-99999", True),
    "DECIMAL(99)": ("CREATE TABLE t (a DECIMAL(99, 2)) WITH ('connector' = 'blackhole')", False),
    "VARCHAR(99999999999)": ("SELECT CAST('a' AS VARCHAR(99999999999))", False),
    "TIMESTAMP(12)": ("SELECT CAST('2020-01-01' AS TIMESTAMP(12))", False),
    "an endless interval": ("SELECT INTERVAL '99999999999999999999' DAY", False),
    "no such date": ("SELECT DATE '2020-13-45'", False),
    "division of the least number": ("SELECT CAST(-9223372036854775808 AS BIGINT) / -1, CAST(-2147483648 AS INT) / -1", True),
    "REPEAT beyond memory": ("SELECT CHAR_LENGTH(REPEAT('abc', 2000000000))", False),
    "REPEAT of REPEAT": ("SELECT REPEAT(REPEAT('abc', 100000), 100000)", False),
    "a regular expression that explodes": ("SELECT REGEXP_REPLACE('a', 'a{1000}{1000}{1000}', '')", True),
    "a regular expression that backtracks": ("SELECT REGEXP_EXTRACT('" + "a" * 40 + "', '(a*)*b')", True),
    "LIKE that backtracks": ("SELECT '" + "a" * 10000 + "' LIKE '" + "%a" * 5000 + "b'", True),
    "deep JSON": ("SELECT JSON_VALUE('" + "[" * 100000 + "', '$.a')", True),
    "a JSON path without sense": ("SELECT JSON_VALUE('{}', '$$$..[')", True),
    "a view of itself": ("CREATE VIEW v AS SELECT * FROM v", False),
    "WITH of itself": ("WITH a AS (SELECT * FROM a) SELECT * FROM a", False),
    "a limit beyond BIGINT": ("SELECT 1 LIMIT 99999999999999999999", False),
}


class HostileSql(ProgramCase):
    pass


def add(name, script, is_answered):
    def test(self):
        code, _, errors = self.run_sql(script)
        if is_answered:
            self.assertEqual((code, errors), (0, ""))
            return
        self.assertEqual(code, 1)
        self.assertRegex(errors, r"(?s)^\S*script\.sql: (PARSE|PLAN|RUNTIME)_ERROR.*\n$")
        self.assertLess(len(errors), 3000, "an error is for reading")
        self.assertFalse(any(ord(c) < 32 and c != "\n" for c in errors), "control characters")
    setattr(HostileSql, "test_" + "".join(c if c.isalnum() else "_" for c in name), test)


for case_name, (text, answered) in CASES.items():
    add(case_name, text, answered)

if __name__ == "__main__":
    unittest.main()
