"""Random tables: their rows, and the statements that make them here and in DuckDB."""
import datetime
import json
from dataclasses import dataclass

from dialects import Column

WORDS = ["", "a", "b", "ab", "Ab", "abc", " a ", "x-y", "été", "日本", "a_b%", "10", "-7", "z" * 20]
START = datetime.datetime(2024, 2, 28, 23, 59, 30)
TYPES = {"INT": "INT", "BIGINT": "BIGINT", "DOUBLE": "DOUBLE", "DEC": "DECIMAL(10, 2)", "STRING": "STRING", "BOOL": "BOOLEAN",
         "DATE": "DATE", "TS": "TIMESTAMP(3)", "ARR": "ARRAY<INT>"}
DUCK_TYPES = dict(TYPES, STRING="VARCHAR", TS="TIMESTAMP", ARR="INTEGER[]")


@dataclass
class Table:
    name: str
    columns: list
    rows: list                 # what the table holds at last
    changes: list | None       # (op, before, after) of a table that is updated
    has_key: bool = False

    @property
    def time(self):
        return next((c.name for c in self.columns if c.name == "ts"), None)


def random_value(rng, kind, nulls):
    if rng.random() < nulls:
        return None
    if kind == "INT":
        return rng.choice([0, 1, 2, 3, -1, -5, 7, 100, rng.randint(-1000, 1000)])
    if kind == "BIGINT":
        return rng.choice([0, 1, -1, 5, 3_000_000_000, -3_000_000_000, rng.randint(-100, 100)])
    if kind == "DOUBLE":
        return rng.choice([0.0, 0.5, -0.25, 1.75, 2.0, rng.randint(-400, 400) / 4])
    if kind == "DEC":
        return f"{rng.choice([0, 1, -1, rng.randint(-99999, 99999)]) / 100:.2f}"
    if kind == "STRING":
        return rng.choice(WORDS)
    if kind == "BOOL":
        return rng.random() < 0.5
    if kind == "DATE":
        return (START.date() + datetime.timedelta(days=rng.randint(-400, 400))).isoformat()
    if kind == "ARR":
        return [rng.randint(0, 4) for _ in range(rng.randint(1, 3))]
    raise ValueError(kind)


def random_row(rng, number, time, nulls):
    return [number, rng.choice([None, 0, 1, 2, 3]) if nulls else rng.randint(0, 3), rng.choice([None, "a", "b", "ab"])] + [
        random_value(rng, kind, nulls) for kind in ("INT", "BIGINT", "DOUBLE", "DEC", "STRING", "BOOL", "DATE")] + [
        random_value(rng, "ARR", 0), time.isoformat(sep=" ", timespec="milliseconds")]


def columns(updated):
    kinds = [("id", "INT"), ("k", "INT"), ("g", "STRING"), ("a", "INT"), ("b", "BIGINT"), ("d", "DOUBLE"), ("m", "DEC"),
             ("s", "STRING"), ("f", "BOOL"), ("dt", "DATE"), ("xs", "ARR"), ("ts", "TS")]
    return [Column(*pair) for pair in kinds if not (updated and pair[0] in ("xs", "ts"))]


def random_table(rng, name, updated):
    nulls = rng.choice([0, 0.15, 0.3])
    count = rng.choice([1, 5, 12, 20, 30]) if rng.random() < 0.4 else rng.randint(6, 24)
    time, rows, changes = START, [], [] if updated else None
    for number in range(1, count + 1):
        time += datetime.timedelta(milliseconds=rng.choice([1, 500, 1000, 2500, 7000, 20000]))
        row = random_row(rng, number, time, nulls)
        if not updated:
            rows.append(row)
            continue
        row = row[:-2]
        rows.append(row)
        changes.append(("c", None, row))
        while len(rows) > 1 and rng.random() < 0.35:
            at = rng.randrange(len(rows))
            if rng.random() < 0.4:
                changes.append(("d", rows.pop(at), None))
                continue
            after = list(rows[at])
            for position in rng.sample(range(1, len(after)), rng.randint(1, 3)):
                after[position] = random_row(rng, 0, time, nulls)[position]
            changes.append(("u", rows[at], after))
            rows[at] = after
    return Table(name, columns(updated), rows, changes, updated and rng.random() < 0.5)


def csv_field(value):
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ";".join(map(str, value))
    if isinstance(value, str):
        return '"' + value + '"'
    return str(value)


def csv_text(table):
    return "".join(",".join(map(csv_field, row)) + "\n" for row in table.rows)


def debezium_text(table):
    def image(row):
        if row is None:
            return None
        return {c.name: (float(v) if c.kind == "DEC" and v is not None else v) for c, v in zip(table.columns, row)}
    return "".join(json.dumps({"before": image(before), "after": image(after), "op": op}, ensure_ascii=False) + "\n"
                   for op, before, after in table.changes)


def create_text(table, batch):
    """The statement that makes the table, and the name and content of its file."""
    defined = [f"{c.name} {TYPES[c.kind]}{' NOT NULL' if c.name in ('id', 'ts') else ''}" for c in table.columns]
    if table.time:
        defined.append("WATERMARK FOR ts AS ts")
    streams = table.changes is not None and not batch
    if table.has_key:
        defined.append("PRIMARY KEY (id) NOT ENFORCED")
    file, content = (f"{table.name}.json", debezium_text(table)) if streams else (f"{table.name}.csv", csv_text(table))
    form = "'format' = 'debezium-json'" if streams else "'format' = 'csv', 'csv.null-literal' = 'NULL'"
    return f"CREATE TABLE {table.name} ({', '.join(defined)}) WITH ('connector' = 'filesystem', 'path' = '${{dir}}/{file}', {form});", file, content


def duck_literal(value, kind):
    if value is None:
        return "NULL"
    if kind in ("STRING", "DATE", "TS"):
        return f"'{value}'"
    return str(value)


def duck_statements(table):
    yield f"CREATE OR REPLACE TABLE {table.name} ({', '.join(f'{c.name} {DUCK_TYPES[c.kind]}' for c in table.columns)})"
    for row in table.rows:
        yield f"INSERT INTO {table.name} VALUES ({', '.join(duck_literal(v, c.kind) for v, c in zip(row, table.columns))})"
