#!/usr/bin/env python3
"""The 22 queries of TPC-H over CSV files, by the engine and by DuckDB: the same rows, and what each costs.

tpch.py PROGRAM FOLDER [--queries 1,6] [--threads N] [--memory SIZE] [--record FILE]     compare with DuckDB on the files in FOLDER
FOLDER is written by thalweg-tpch-data; DuckDB is `pip install duckdb`, needed here only.
Averages and quotients of decimals are asked for as DOUBLE (AS_DOUBLE), since their decimal places differ by dialect; then
everything is the same within 1e-9.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import math
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile
from csv import reader
from pathlib import Path

HERE = Path(__file__).resolve().parent
QUERIES = range(1, 23)
# Of these queries: what is computed as DOUBLE where the specification leaves the decimal places open.
AS_DOUBLE = {
    1: [(r"AVG\((\w+)\)", r"AVG(CAST(\1 AS DOUBLE))")],
    8: [(r"(SUM\(CASE.*? END\)) / ", r"CAST(\1 AS DOUBLE) / ")],
    14: [(r"(100\.00 \* SUM\(CASE.*? END\)) /", r"CAST(\1 AS DOUBLE) /")],
    17: [(r"AVG\(l_quantity\)", "AVG(CAST(l_quantity AS DOUBLE))"), (r"SUM\(l_extendedprice\) /", "CAST(SUM(l_extendedprice) AS DOUBLE) /")],
    22: [(r"AVG\(c_acctbal\)", "AVG(CAST(c_acctbal AS DOUBLE))")],
}


def query_text(number):
    return (HERE / f"q{number}.sql").read_text().strip()


def double_text(number):
    text = query_text(number)
    for pattern, replacement in AS_DOUBLE.get(number, []):
        text, count = re.subn(pattern, replacement, text, flags=re.DOTALL)
        assert count > 0, f"query {number} has no {pattern}"
    return text


def schema_text(folder):
    return (HERE / "schema.sql").read_text().replace("${folder}", str(folder))


def engine_rows(program, folder, number, settings=(), text=None):
    """(rows as texts, CPU seconds, the most memory in MB, MB written); a failure raises its message."""
    with tempfile.TemporaryDirectory(prefix="tpch-") as scratch:
        script = Path(scratch, "query.sql")
        sink = f"'connector' = 'filesystem', 'path' = '{scratch}/result', 'format' = 'csv', 'csv.null-literal' = 'NULL'"
        script.write_text(schema_text(folder) + f"CREATE TABLE answer WITH ({sink}) AS\n{text or query_text(number)};\n")
        command = [program, "sql", "-f", str(script)] + [part for setting in settings for part in ("-D", setting)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise RuntimeError(output[-2000:])
        rows = []
        for path in sorted(Path(scratch).glob("result/**/*")):
            if path.is_file() and not path.name.startswith((".", "_")):
                with open(path, newline="", encoding="utf-8") as file:
                    rows += [[None if field == "NULL" else field for field in row] for row in reader(file)]
        return rows, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, usage.ru_oublock * 512 / 1e6


def duck_text(text):
    return re.sub(r"\bSTRING\b", "VARCHAR", text)


def duck_schema(folder):
    """Views over the files, with the same types."""
    for name, columns in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\) WITH", schema_text(folder), re.DOTALL):
        pairs = re.findall(r"(\w+) (BIGINT|INT|STRING|DATE|DECIMAL\(15, 2\))", columns)
        listed = ", ".join(f"'{column}': '{duck_text(kind)}'" for column, kind in pairs)
        yield f"CREATE VIEW {name} AS SELECT * FROM read_csv('{folder}/{name}.csv', header = false, columns = {{{listed}}})"


def duck_rows(folder, number, threads, text=None):
    """The rows and CPU seconds of DuckDB, in this process."""
    import duckdb
    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    for statement in duck_schema(folder):
        connection.execute(statement)
    before = resource.getrusage(resource.RUSAGE_SELF)
    rows = connection.execute(text or query_text(number)).fetchall()
    after = resource.getrusage(resource.RUSAGE_SELF)
    texts = [[None if value is None else str(value) for value in row] for row in rows]
    return texts, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def apart(function, *arguments):
    """The result of the function in a process of its own: a large process would lend its size to those it starts."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def number_of(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def sort_key(row):
    return [("", f"{number_of(v):.4g}") if number_of(v) is not None else ("t", str(v)) for v in row]


def same(a, b, tolerance):
    x, y = number_of(a), number_of(b)
    if x is not None and y is not None:
        return math.isclose(x, y, rel_tol=1e-9, abs_tol=tolerance)
    return a == b


def difference(expected, found, tolerance=1.01e-6):
    """The first rows that differ; empty if there are none. Rows that are equal by order are compared in one order. A quotient
    of decimals has six digits behind the point here, which is the tolerance."""
    expected, found = sorted(expected, key=sort_key), sorted(found, key=sort_key)
    if len(expected) != len(found):
        return f"expected {len(expected)} rows, found {len(found)}"
    wrong = [(e, f) for e, f in zip(expected, found) if len(e) != len(f) or not all(same(a, b, tolerance) for a, b in zip(e, f))]
    return "\n".join(f"expected {e}\nfound    {f}" for e, f in wrong[:3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", default=",".join(map(str, QUERIES)))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", help="the engine's limit, such as 256mb")
    parser.add_argument("--record", help="a file to which each query's figures are appended, as JSON lines")
    options = parser.parse_args()
    settings = [f"parallelism.default={options.threads}"]
    if options.memory:
        settings.append(f"taskmanager.memory.process.size={options.memory}")
    if importlib.util.find_spec("duckdb") is None:
        print("DuckDB is not installed (pip install duckdb): nothing to compare with")
        return 0
    engine_total = duck_total = 0.0
    failures = memory_max = 0
    print(f"{'query':>6} {'engine':>9} {'duckdb':>9} {'ratio':>7} {'memory':>9} {'written':>9}")
    for number in map(int, options.queries.split(",")):
        text = double_text(number)
        expected, duck_seconds = apart(duck_rows, options.folder, number, options.threads, text)
        try:
            found, seconds, memory, written = engine_rows(options.program, options.folder, number, settings, text)
        except RuntimeError as error:
            failures += 1
            print(f"{number:>6} failed: {error}", flush=True)
            continue
        wrong = difference(expected, found, 1e-12)
        failures += bool(wrong)
        engine_total, duck_total, memory_max = engine_total + seconds, duck_total + duck_seconds, max(memory_max, memory)
        print(f"{number:>6} {seconds:>7.2f} s {duck_seconds:>7.2f} s {seconds / max(duck_seconds, 1e-3):>7.1f} {memory:>6} MB {written:>6.1f} MB {wrong}", flush=True)
        if options.record:
            figures = {"bench": "tpch", "query": number, "memory": options.memory or "default", "threads": options.threads, "rows": len(found),
                       "cpu_s": round(seconds, 3), "duckdb_cpu_s": round(duck_seconds, 3), "peak_mb": memory, "written_mb": round(written, 1), "same": not wrong}
            with open(options.record, "a", encoding="utf-8") as file:
                file.write(json.dumps(figures) + "\n")
    print(f"{'total':>6} {engine_total:>7.2f} s {duck_total:>7.2f} s {engine_total / max(duck_total, 1e-3):>7.1f} {memory_max:>6} MB, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
