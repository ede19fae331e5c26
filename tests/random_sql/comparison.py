"""Whether two answers are the same table."""
import math
import re
from collections import Counter
from decimal import Decimal

from engine import column_types, split_row


def bag(text):
    """The elements of a list, array or multiset, in an order of their own."""
    inner = text[1:-1] if text[:1] in ("[", "{") else text
    return "|".join(sorted(re.split(r", |,|\|", inner)))


def exact(answer, columns):
    """The rows with bags sorted and approximate digits rounded."""
    kinds = [c.kind for c in columns]
    if not {"BAG", "APX"} & set(kinds):
        return answer.rows
    rows = Counter()
    for row, count in answer.rows.items():
        fields = split_row(row)
        for at, kind in enumerate(kinds):
            if kind == "BAG":
                fields[at] = bag(fields[at])
            elif kind == "APX" and fields[at] != "null":
                fields[at] = rounded(float(fields[at]))
        rows["[" + ", ".join(fields) + "]"] += count
    return rows


def rounded(number):
    if math.isnan(number) or math.isinf(number):
        return str(number)
    return f"{number:.5g}" if abs(number) > 1e-6 else "0"


def difference(a, b):
    """What one table has and the other has not; empty if they are the same."""
    lines = [f"  only there: {n} x {row}" for row, n in sorted((a - b).items())] + [f"  only here:  {n} x {row}" for row, n in sorted((b - a).items())]
    return "\n".join(lines[:20])


def plain(text, kind):
    """A field as a value that can be compared with DuckDB's."""
    if text == "null":
        return None
    if kind.startswith(("DOUBLE", "FLOAT")):
        return float(text)
    if kind.startswith(("TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL")):
        return Decimal(text)
    return text


def from_duck(value, kind):
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):
        text = value.isoformat()
        if kind.startswith("TIMESTAMP") and "T" in text:
            text = text.rstrip("0") if "." in text else text
        return text
    if kind.startswith(("DOUBLE", "FLOAT")):
        return float(value)
    if isinstance(value, (int, float)):
        return Decimal(str(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join("null" if v is None else str(v) for v in value) + "]"
    return value


def order_key(row):
    return [(value is None, rounded(float(value)) if isinstance(value, (float, Decimal)) else str(value)) for value in row]


def same_value(a, b):
    if a is None or b is None:
        return a is b
    if isinstance(a, (float, Decimal)) and isinstance(b, (float, Decimal)):
        a, b = float(a), float(b)
        return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1.0)
    return a == b


def normal_time(text):
    """`2024-01-01T00:00` and `2024-01-01T00:00:00.500000` in one form."""
    if isinstance(text, str) and re.fullmatch(r"\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?", text):
        text += ":00" if text.count(":") == 1 else ""
        return text.rstrip("0").rstrip(".") if "." in text else text
    return text


def difference_from_duck(answer, rows, in_order=False):
    types = column_types(answer.schema)
    if in_order:
        mine = [split_row(message[2:]) for message in answer.messages]
    else:
        mine = [split_row(row) for row, count in answer.rows.items() for _ in range(count)]
    mine = [tuple(normal_time(plain(f, t)) for f, t in zip(row, types)) for row in mine]
    theirs = [tuple(normal_time(from_duck(v, t)) for v, t in zip(row, types)) for row in rows]
    if not in_order:
        mine.sort(key=order_key)
        theirs.sort(key=order_key)
    if len(mine) == len(theirs) and all(len(a) == len(b) and all(map(same_value, a, b)) for a, b in zip(mine, theirs)):
        return ""
    a, b = Counter(map(str, theirs)), Counter(map(str, mine))
    return difference(a, b) or "  the order of rows"
