"""Functions in C++ from a shared library, called by scripts."""
import os
import sys
import unittest

LIBRARY = sys.argv.pop(2)

from program import ProgramCase  # noqa: E402  (reads the program's path from the command line)


def create(name, symbol=None, library=LIBRARY, kind="FUNCTION"):
    return f"CREATE {kind} {name} AS '{symbol or name}' LANGUAGE CPP USING LIBRARY '{library}';\n"


class Functions(ProgramCase):
    def answer(self, script, code=0):
        found, out, errors = self.run_program("sql", "-f", self.file("script.sql", script))
        self.assertEqual(found, code, out + errors)
        return out + errors

    def test_scalar_table_and_aggregate_functions_are_called(self):
        out = self.answer(
            create("shout") + create("words") + create("multiply") +
            "SET 'execution.runtime-mode' = 'batch';\n"
            "SELECT shout(w, 2) AS s FROM (VALUES ('one two'), (CAST(NULL AS STRING))) AS t (x), LATERAL TABLE(words(x)) AS u (w);\n"
            "SELECT multiply(f) AS p FROM (VALUES (2.0e0), (3.0e0), (7.0e0)) AS t (f);\n")
        for expected in ("one!!", "two!!", "42.0"):
            self.assertIn(expected, out)

    def test_results_of_updates_are_taken_back(self):
        out = self.answer(
            create("multiply") + "SET 'sql-client.execution.result-mode' = 'changelog';\n"
            "SELECT multiply(CAST(n AS DOUBLE)) AS p FROM (SELECT k, COUNT(*) AS n FROM (VALUES (1), (1), (2)) AS t (k) GROUP BY k);\n")
        self.assertIn("2.0", out)

    def test_what_a_function_throws_names_it(self):
        out = self.answer(create("picky") + "SELECT picky(CAST(n AS BIGINT)) AS p FROM (VALUES (1), (3)) AS t (n);\n", 1)
        self.assertIn("PICKY", out)
        self.assertIn("no more than two", out)

    def test_what_cannot_be_loaded_is_refused_when_it_is_created(self):
        not_a_library = self.file("text.so", "not a library")
        for statement, expected in [
                (create("f", library="/nowhere/lib.so"), "cannot be loaded"),
                (create("f", library=not_a_library), "cannot be loaded"),
                (create("f", symbol="nosuch"), "has no function 'nosuch'"),
                (create("initcap", symbol="shout"), "there is a built-in function 'initcap'"),
                (create("shout") + create("shout"), "there is a function 'shout' already"),
                (create("shout") + "SELECT shout(1, 2) AS v;\n", "argument 1 of 'SHOUT' takes STRING"),
                (create("shout") + "SELECT shout('a') AS v;\n", "SHOUT"),
                ("CREATE FUNCTION f AS 'x' LANGUAGE CPP;\n", "USING")]:
            with self.subTest(statement=statement):
                self.assertIn(expected, self.answer(statement, 1))

    def test_names_follow_the_catalog(self):
        out = self.answer(
            create("shout") + create("initcap", "shout", kind="TEMPORARY SYSTEM FUNCTION") +
            "CREATE DATABASE other;\nUSE other;\n"
            "SHOW USER FUNCTIONS;\n"
            "SELECT initcap('a', 1) AS v;\n"
            "DROP TEMPORARY SYSTEM FUNCTION initcap;\n"
            "SELECT initcap('b') AS v;\n"
            "SELECT shout('c', 1) AS v;\n", 1)
        self.assertIn("a!", out)
        self.assertIn(" B |", out)
        self.assertIn("unknown function 'SHOUT'", out)


class CatalogFiles(ProgramCase):
    """Definitions that outlive the session."""

    def run_script(self, script, code=0):
        found, out, errors = self.run_program("sql", "-f", self.file("script.sql", script))
        self.assertEqual(found, code, out + errors)
        return out + errors

    def test_a_catalog_of_the_type_file_comes_back(self):
        folder = os.path.join(self.folder, "kept")
        attach = f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{folder}');\nUSE CATALOG c;\n"
        self.run_script(
            attach + "CREATE TABLE t (id INT NOT NULL, s STRING COMMENT 'it''s', d AS id * 2, PRIMARY KEY (id) NOT ENFORCED) "
            "WITH ('connector' = 'datagen', 'number-of-rows' = '1');\n"
            "CREATE VIEW a AS SELECT * FROM z;\n".replace("FROM z", "FROM t") +
            "CREATE VIEW b AS SELECT s FROM a;\nCREATE DATABASE other COMMENT 'more';\n" + create("shout") +
            "CREATE TEMPORARY TABLE passing (x INT) WITH ('connector' = 'blackhole');\n"
            "CREATE TABLE gone (x INT) WITH ('connector' = 'blackhole');\nDROP TABLE gone;\n")
        out = self.run_script(attach + "SHOW TABLES;\nSHOW DATABASES;\nSHOW CREATE TABLE t;\nSELECT shout('x', 3) AS v;\nSELECT COUNT(*) AS n FROM b;\n")
        for expected in (" a ", " b ", " t ", "other", "it''s", "x!!!", " 1 |"):
            self.assertIn(expected, out)
        for gone in ("passing", "gone"):
            self.assertNotIn(gone, out)

    def test_models_of_a_catalog_come_back_with_columns_or_without(self):
        folder = os.path.join(self.folder, "kept")
        attach = f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{folder}');\nUSE CATALOG c;\n"
        self.run_script(attach + "CREATE MODEL bare WITH ('provider' = 'x');\n"
                        "CREATE MODEL typed INPUT (a INT COMMENT 'in') OUTPUT (b STRING) COMMENT 'c' WITH ('provider' = 'x');\n")
        out = self.run_script(attach + "SHOW MODELS;\nSHOW CREATE MODEL typed;\n")
        for expected in (" bare |", " typed |", "INPUT (`a` INT COMMENT 'in')", "COMMENT 'c'"):
            self.assertIn(expected, out)

    def test_a_view_whose_table_is_gone_stays_in_the_file(self):
        folder = os.path.join(self.folder, "kept")
        attach = f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{folder}');\nUSE CATALOG c;\n"
        table = "CREATE TABLE t (id INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1');\n"
        self.run_script(attach + table + "CREATE VIEW v AS SELECT id FROM t;\nDROP TABLE t;\n")
        self.run_script(attach + "CREATE DATABASE other;\n")
        self.run_script(attach + table)
        self.assertIn(" v |", self.run_script(attach + "SHOW VIEWS;\n"))

    def test_a_catalog_store_keeps_what_catalogs_there_are(self):
        store = os.path.join(self.folder, "store")
        kept = os.path.join(self.folder, "kept")
        use = f"SET 'table.catalog-store.kind' = 'file';\nSET 'table.catalog-store.file.path' = '{store}';\n"
        self.run_script(use + f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{kept}');\nCREATE CATALOG m COMMENT 'in memory' WITH ('type' = 'generic_in_memory');\n"
                        "CREATE TABLE c.`default`.t (id INT) WITH ('connector' = 'blackhole');\n")
        self.assertEqual(sorted(os.listdir(store)), ["c.yaml", "m.yaml"])
        out = self.run_script(use + "SHOW CATALOGS;\nUSE CATALOG c;\nSHOW TABLES;\nDROP CATALOG m;\n")
        for expected in (" c |", " m |", " t |"):
            self.assertIn(expected, out)
        self.assertEqual(os.listdir(store), ["c.yaml"])

    def test_a_store_without_a_folder_is_refused(self):
        out = self.run_script("SET 'table.catalog-store.kind' = 'file';\nSHOW CATALOGS;\n", 1)
        self.assertIn("table.catalog-store.file.path", out)

    def test_a_broken_file_is_named(self):
        store = os.path.join(self.folder, "store")
        os.mkdir(store)
        with open(os.path.join(store, "c.yaml"), "w") as file:
            file.write("no option\n")
        out = self.run_script(f"SET 'table.catalog-store.kind' = 'file';\nSET 'table.catalog-store.file.path' = '{store}';\nSHOW CATALOGS;\n", 1)
        self.assertIn("c.yaml:1", out)


if __name__ == "__main__":
    unittest.main()
