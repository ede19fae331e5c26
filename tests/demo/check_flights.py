"""Compares what flights.sql gave with the figures of examples/flights/expected.py.

    python3 check_flights.py OUTPUT_DIR SHOWN_FILE

OUTPUT_DIR holds the CSV files of the hourly table; SHOWN_FILE is what `thalweg sql` printed, in whose last table the
routes stand. A table with an `op` column is a changelog and gets applied first.
"""
import collections
import csv
import importlib.util
import pathlib
import sys

FLIGHTS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "flights"


def load_expected():
    spec = importlib.util.spec_from_file_location("expected", FLIGHTS / "expected.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written_rows(folder):
    """All rows of the CSV files in a folder; hidden files are not yet committed and do not count."""
    rows = []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file() and not path.name.startswith((".", "_")):
            with open(path, encoding="utf-8", newline="") as file:
                rows.extend(tuple(row) for row in csv.reader(file))
    return rows


def shown_table(text):
    """The header and rows of the last framed table in a text: rule, header, rule, rows, rule."""
    header, rows, rules = [], [], 0
    for line in map(str.strip, text.splitlines()):
        if line.startswith("+-"):
            rules += 1
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if rules == 1:
                header, rows = cells, []
            else:
                rows.append(cells)
        else:
            rules = 0
    return header, rows


def applied(header, rows):
    """The table that a changelog leads to, and what in it does not apply cleanly."""
    if not header or header[0] != "op":
        return collections.Counter(tuple(row) for row in rows), []
    table, problems = collections.Counter(), []
    for kind, *row in rows:
        row = tuple(row)
        if kind in ("+I", "+U"):
            table[row] += 1
        elif kind in ("-U", "-D") and table[row] > 0:
            table[row] -= 1
        else:
            problems.append(f"change {kind} of a row that is not there: {row}")
    return +table, problems


def differences(name, wanted, found):
    problems = [f"{name}: missing {row} x {count}" for row, count in sorted((wanted - found).items())]
    problems += [f"{name}: not expected {row} x {count}" for row, count in sorted((found - wanted).items())]
    return problems


def as_text(rows):
    return collections.Counter(tuple(str(cell) for cell in row) for row in rows)


def check(output, shown):
    expected = load_expected()
    problems = differences("hourly", as_text(expected.hourly()), collections.Counter(written_rows(output)))
    header, rows = shown_table(shown)
    table, unclean = applied(header, rows)
    return problems + unclean + differences("routes", as_text(expected.routes()), table)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    problems = check(sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    for problem in problems[:20]:
        print(problem)
    print(f"{len(problems)} differences" if problems else "flights: all figures as expected")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
