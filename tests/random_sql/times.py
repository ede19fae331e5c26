"""Random queries over event time: window table functions, OVER, interval joins."""
import aggregates
from dialects import KEY_KINDS, Column, Expr, Relation, joined
from expressions import Expressions


def scope_of(relation, alias="x"):
    return [Expr(f"{alias}.{c.name}", f"{alias}.{c.name}", c.kind) for c in relation.columns]


def over(make):
    """OVER: in streaming by row time; now and then by any column, which only batch can."""
    rng, relation = make.rng, make.scan(append=True, timed=True)
    columns = scope_of(relation)
    keys = make.keys(columns, 0 if rng.random() < 0.3 else 1, 2)
    partition = f"PARTITION BY {', '.join(k.flink for k in keys)} " if keys else ""
    batch = rng.random() < 0.4
    frames = ["ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW",
              "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", ""]
    order = "x.ts", "x.ts"
    if batch:
        frames = frames[:2] + ["ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", "ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING", "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", ""]
        first = rng.choice([c for c in columns if c.kind in KEY_KINDS])
        falls = rng.random() < 0.4
        order = f"{first.flink}{' DESC' if falls else ''}, x.id", f"{first.duck} {'DESC NULLS LAST' if falls else 'ASC NULLS FIRST'}, x.id"
    frame = rng.choice(frames)
    names = ("COUNT", "SUM", "MIN", "MAX", "AVG", "AVG_INT", "COUNT_STAR")
    calls = aggregates.random_calls(rng, relation, columns, Expressions(rng, columns), 1, distinct=False, names=names)
    items_f, items_d, made, tags = [], [], [], set()
    for flink, duck, column in zip(calls.flink, calls.duck, calls.columns):
        if "FILTER" in flink or "//" in (duck or ""):
            continue
        call, _, name = flink.rpartition(" AS ")
        items_f.append(f"{call} OVER ({partition}ORDER BY {order[0]} {frame}) AS {name}")
        items_d.append(None if duck is None else f"{duck.rpartition(' AS ')[0]} OVER ({partition}ORDER BY {order[1]} {frame}) AS {name}")
        made.append(column)
    ranks = ["ROW_NUMBER()", "LAG(x.a, 1)", "LAG(x.s, 2)"] + (["RANK()", "DENSE_RANK()", "NTILE(3)", "LEAD(x.a, 1)", "LEAD(x.b, 2)", "CUME_DIST()", "CUME_DIST()", "PERCENT_RANK()", "PERCENT_RANK()", "RANK()", "DENSE_RANK()", "NTILE(4)"] if batch else [])
    if not items_f or rng.random() < 0.7:
        rank = rng.choice(ranks)
        kind = {"x.a": "INT", "x.s": "STRING", "x.b": "BIGINT"}.get(rank.split("(")[1].split(",")[0], "DOUBLE" if "_DIST" in rank or "PERCENT" in rank else "BIGINT")
        column = f"c{len(calls.columns) + 1}"
        if batch or rank == "ROW_NUMBER()" or not items_f:
            items_f.append(f"{rank} OVER ({partition}ORDER BY {order[0]}) AS {column}")
            items_d.append(f"{rank} OVER ({partition}ORDER BY {order[1]}) AS {column}")
            made.append(Column(column, kind))
            tags.add(f"over:{rank.split('(')[0]}")
    items = joined(["x.id AS c0"] + items_f, ["x.id AS c0"] + items_d, ", ")
    tags |= relation.tags | {f"over:{'batch' if batch else 'stream'}:{frame.split(' ')[0] or 'default'}"}
    return Relation(f"SELECT {items[0]} FROM {relation.flink} AS x", None if items[1] is None else f"SELECT {items[1]} FROM {relation.flink} AS x",
                    [Column("c0", "INT")] + made, tags=tags, tables=relation.tables, modes="batch" if batch else "any")


SIZES = {"TUMBLE": [(2,), (10,), (60,)], "HOP": [(5, 10), (2, 6), (10, 10)], "CUMULATE": [(5, 20), (2, 10)], "SESSION": [(3,), (10,)]}


def duck_windows(kind, sizes, table):
    """The table with window_start and window_end, one row per window a row falls into."""
    floor = "make_timestamp((epoch_us(ts) // {0}) * {0}{1})"
    if kind == "TUMBLE":
        size = sizes[0] * 1_000_000
        return f"(SELECT *, {floor.format(size, '')} AS window_start, {floor.format(size, f' + {size}')} AS window_end FROM {table})"
    if kind == "HOP":
        slide, size = sizes[0] * 1_000_000, sizes[1] * 1_000_000
        start = f" - i * {slide}"
        return (f"(SELECT *, {floor.format(slide, start)} AS window_start, {floor.format(slide, f'{start} + {size}')} AS window_end "
                f"FROM {table}, range({size // slide}) AS r(i))")
    if kind == "CUMULATE":
        step, size = sizes[0] * 1_000_000, sizes[1] * 1_000_000
        return (f"(SELECT * FROM (SELECT *, {floor.format(size, '')} AS window_start, {floor.format(size, f' + (i + 1) * {step}')} AS window_end "
                f"FROM {table}, range({size // step}) AS r(i)) WHERE window_end > ts)")
    return None


def window(make):
    rng, relation = make.rng, make.scan(append=True, timed=True)
    kind = rng.choice(list(SIZES))
    sizes = rng.choice(SIZES[kind])
    columns = scope_of(relation)
    keys = make.keys(columns, 0, 2)
    parts = ", ".join(f"INTERVAL '{s}' SECOND" for s in sizes)
    by = f" PARTITION BY ({', '.join(k.flink[2:] for k in keys)})" if kind == "SESSION" and keys else ""
    origin = f"TABLE({kind}(TABLE {relation.flink}{by}, DESCRIPTOR(ts), {parts})) AS x", duck_windows(kind, sizes, relation.flink)
    origin = origin[0], None if origin[1] is None else f"{origin[1]} AS x"
    bounds = [Expr(f"x.{n}", f"x.{n}", "TS") for n in ("window_start", "window_end")]
    if rng.random() < 0.3:
        return window_top(make, relation, kind, keys, origin, bounds)
    group = bounds + keys
    calls = aggregates.random_calls(rng, relation, columns, Expressions(rng, columns), len(group))
    items = joined([f"{g.flink} AS c{i}" for i, g in enumerate(group)] + calls.flink, [f"{g.duck} AS c{i}" for i, g in enumerate(group)] + calls.duck, ", ")
    tail = " GROUP BY " + ", ".join(g.flink for g in group)
    made = [Column(f"c{i}", g.kind) for i, g in enumerate(group)] + calls.columns
    return Relation(*make.select(items, origin, None, (tail, tail)), made, tags=relation.tags | {f"window:{kind}"} | {t.replace("agg:", "window-agg:") for t in calls.tags},
                    tables=relation.tables, modes=calls.modes)


def window_top(make, relation, kind, keys, origin, bounds):
    """The first rows of each window."""
    rng = make.rng
    partition = ", ".join(p.flink for p in bounds + keys)
    falls = rng.choice(["", " DESC"])
    count = rng.choice([1, 2])
    first = rng.choice(["x.a", "x.d", "x.m", "x.s"])
    names = [c.name for c in relation.columns if c.kind != "ARR"]
    texts = []
    for side, text in enumerate(origin):
        nulls = (" NULLS LAST" if falls else " NULLS FIRST") if side else ""
        texts.append(None if text is None else f"SELECT {', '.join(names)}, window_start, window_end FROM (SELECT x.*, ROW_NUMBER() OVER (PARTITION BY {partition} "
                     f"ORDER BY {first}{falls}{nulls}, x.id) AS n FROM {text}) AS q WHERE n <= {count}")
    made = [c for c in relation.columns if c.kind != "ARR"] + [Column("window_start", "TS"), Column("window_end", "TS")]
    return Relation(*texts, made, tags=relation.tags | {f"window-top:{kind}"}, tables=relation.tables)


def interval_join(make):
    rng, left, right = make.rng, make.scan(append=True, timed=True), make.scan(append=True, timed=True)
    l, r = scope_of(left, "l"), scope_of(right, "r")
    pairs = make.equal_pairs(l, r, 1)
    kind = rng.choice(["INNER", "LEFT", "RIGHT", "FULL"])
    back, ahead = rng.choice([(0, 5), (5, 0), (10, 10), (1, 30)])
    bounds = f"l.ts BETWEEN r.ts - INTERVAL '{back}' SECOND AND r.ts + INTERVAL '{ahead}' SECOND"
    conditions = [Expr(f"{a.flink} = {b.flink}", f"{a.duck} = {b.duck}", "BOOL") for a, b in pairs] + [Expr(bounds, bounds, "BOOL")]
    on = " AND ".join(c.flink for c in conditions)
    flink, duck, made = make.select_list(l + r, Expressions(rng, l + r), rng.randint(2, 5), 1)
    return Relation(*make.select(joined(flink, duck, ", "), (f"{left.flink} AS l {kind} JOIN {right.flink} AS r ON {on}",) * 2), made,
                    tags=left.tags | {f"interval-join:{kind}"}, tables=left.tables | right.tables)
