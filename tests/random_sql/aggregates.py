"""Random aggregate calls, with the results DuckDB has under the same or another name."""
from dataclasses import dataclass, field

from dialects import Column, column_name, merge_modes

# Name: (kinds of the argument, kind of the result (None: the argument's), Flink's text, DuckDB's text or None)
CALLS = {
    "COUNT": ("ANY", "BIGINT", "COUNT({0})", "COUNT({0})"),
    "COUNT_STAR": ("", "BIGINT", "COUNT(*)", "COUNT(*)"),
    "SUM": ("INT BIGINT DOUBLE DEC", None, "SUM({0})", "SUM({0})"),
    "AVG": ("DOUBLE", "APX", "AVG({0})", "AVG({0})"),
    "AVG_INT": ("INT BIGINT", None, "AVG({0})", "(SUM({0}) // COUNT({0}))"),
    "AVG_DEC": ("DEC", "DEC", "AVG({0})", None),
    "MIN": ("INT BIGINT DOUBLE DEC STRING DATE TS BOOL", None, "MIN({0})", "MIN({0})"),
    "MAX": ("INT BIGINT DOUBLE DEC STRING DATE TS BOOL", None, "MAX({0})", "MAX({0})"),
    "STDDEV_POP": ("DOUBLE", "APX", "STDDEV_POP({0})", "STDDEV_POP({0})"),
    "STDDEV_SAMP": ("DOUBLE", "APX", "STDDEV_SAMP({0})", "STDDEV_SAMP({0})"),
    "VAR_POP": ("DOUBLE", "APX", "VAR_POP({0})", "VAR_POP({0})"),
    "VAR_SAMP": ("DOUBLE", "APX", "VAR_SAMP({0})", "VAR_SAMP({0})"),
    "LISTAGG": ("STRING", "BAG", "LISTAGG({0}, '|')", None),
    "ARRAY_AGG": ("INT STRING", "BAG", "ARRAY_AGG({0})", None),
    "COLLECT": ("INT STRING", "BAG", "COLLECT({0})", None),
    "FIRST_VALUE": ("INT STRING DEC DATE", None, "FIRST_VALUE({0})", None),
    "LAST_VALUE": ("INT STRING DEC DATE", None, "LAST_VALUE({0})", None),
    "APPROX_COUNT_DISTINCT": ("INT STRING", "BIGINT", "APPROX_COUNT_DISTINCT({0})", None),
    "PERCENTILE": ("INT DOUBLE", "APX", "PERCENTILE({0}, 0.5)", None),
    "JSON_ARRAYAGG": ("INT", "BAG", "JSON_ARRAYAGG({0})", None),
}
DISTINCT = ("COUNT", "SUM", "AVG", "AVG_INT", "MIN", "MAX", "LISTAGG", "ARRAY_AGG", "COLLECT")
IN_ARRIVAL_ORDER = ("FIRST_VALUE", "LAST_VALUE")


@dataclass
class Calls:
    flink: list = field(default_factory=list)
    duck: list = field(default_factory=list)
    columns: list = field(default_factory=list)
    tags: set = field(default_factory=set)
    modes: str = "any"


def argument_of(rng, kinds, columns, expressions):
    if not kinds:
        return None
    if kinds == "ANY":
        return expressions.column("ANY") or expressions.leaf("INT")
    fitting = [c for c in columns if c.kind in kinds.split()]
    if fitting and rng.random() < 0.75:
        return rng.choice(fitting)
    return expressions.make(rng.choice(kinds.split()), 2)


def random_calls(rng, relation, columns, expressions, first, distinct=True, names=tuple(CALLS)):
    calls = Calls()
    for number in range(first, first + rng.randint(1, 4)):
        name = rng.choice(names)
        if name == "APPROX_COUNT_DISTINCT" and (calls.modes != "any" or relation.modes not in ("any", "batch") or rng.random() < 0.2):
            continue
        kinds, result, flink, duck = CALLS[name]
        argument = argument_of(rng, kinds, columns, expressions)
        if name in IN_ARRIVAL_ORDER and not relation.in_order:
            # Which row is first depends on the order of arrival: compared where that order is one.
            single = len(relation.tables) == 1 and not any(t.startswith(("join", "set", "scalar", "lateral")) for t in relation.tags)
            modes = merge_modes(calls.modes, "steps", relation.modes)
            if not single or modes is None:
                continue
            calls.modes = "steps"
        if name == "APPROX_COUNT_DISTINCT":
            calls.modes = "batch"
        is_distinct = distinct and name in DISTINCT and rng.random() < 0.25
        where = expressions.condition(1) if rng.random() < 0.25 else None
        kind = result or argument.kind
        column = column_name(kind, number)
        parts = []
        for side, template in enumerate((flink, duck)):
            texts = [getattr(e, ("flink", "duck")[side]) for e in (argument, where) if e is not None]
            if template is None or None in texts:
                parts.append(None)
                continue
            inside = ("DISTINCT " if is_distinct else "") + (texts[0] if argument else "")
            text = template.format(inside)
            clause = f" FILTER (WHERE {texts[-1]})" if where else ""
            if side == 1 and name == "AVG_INT":
                text = f"(SUM({inside}){clause} // COUNT({inside}){clause})"
                clause = ""
            parts.append(f"{text}{clause} AS {column}")
        calls.flink.append(parts[0])
        calls.duck.append(parts[1])
        calls.columns.append(Column(column, kind))
        plain, changes = name.split("_INT")[0], "append" if relation.append_only else "retract"
        calls.tags.add(f"agg:{plain} x {changes}")
        if is_distinct or where:
            calls.tags.add(f"form of agg:{plain}{':distinct' if is_distinct else ''}{':filter' if where else ''} x {changes}")
    if not calls.flink:
        calls.flink.append(f"COUNT(*) AS c{first}")
        calls.duck.append(f"COUNT(*) AS c{first}")
        calls.columns.append(Column(f"c{first}", "BIGINT"))
    return calls
