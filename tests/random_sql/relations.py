"""Random queries: relations of every operator, put together over random tables."""
from dialects import KEY_KINDS, ORDER_KINDS, Column, Expr, Relation, column_name, joined, merge_modes
from expressions import Expressions
import aggregates
import times

VALUE_KINDS = ["INT", "INT", "BIGINT", "DOUBLE", "DEC", "STRING", "STRING", "BOOL", "DATE", "TS", "ARR"]


def scope(relation, alias):
    return [Expr(f"{alias}.{c.name}", f"{alias}.{c.name}", c.kind) for c in relation.columns]


def source(relation, alias):
    """The relation as it stands in FROM, in both dialects."""
    wrap = (lambda text: text if text.isidentifier() else f"({text})")
    return f"{wrap(relation.flink)} AS {alias}", None if relation.duck is None else f"{wrap(relation.duck)} AS {alias}"


class Relations:
    def __init__(self, rng, tables):
        self.rng = rng
        self.tables = tables

    def scan(self, append=None, timed=False):
        fitting = [t for t in self.tables if (append is None or (t.changes is None) == append) and (not timed or t.time)]
        table = self.rng.choice(fitting)
        updated = table.changes is not None
        return Relation(table.name, table.name, list(table.columns), append_only=not updated, in_order=not updated, time=table.time,
                        tags={"scan:updated" if updated else "scan"}, tables={table.name})

    def make(self, depth):
        if depth <= 0 or self.rng.random() < 0.12:
            return self.scan()
        shapes = [(self.project, 4), (self.join, 7), (self.semi_join, 4), (self.aggregate, 5), (self.grouping_sets, 1), (self.distinct, 1), (self.set_operation, 2),
                  (self.top_n, 2), (self.deduplicate, 1), (self.over, 4), (self.window, 4), (self.unnest, 1), (self.scalar_filter, 1), (self.interval_join, 2),
                  (self.with_scalar, 1), (self.lateral, 1)]
        shape = self.rng.choices([s for s, _ in shapes], [w for _, w in shapes])[0]
        return shape(depth) or self.scan()

    # What reads one relation.

    def derive(self, relation, flink, duck, columns, tag, **changes):
        values = dict(append_only=relation.append_only, in_order=False, time=None, tags=relation.tags | {tag}, tables=relation.tables, modes=relation.modes)
        values.update(changes)
        return Relation(flink, duck if relation.duck is not None else None, columns, **values)

    def select_list(self, columns, expressions, count, depth=3):
        """(flink items, duck items, columns): some columns as they are, some computed."""
        flink, duck, made = [], [], []
        for number in range(count):
            if self.rng.random() < 0.45:
                expr = self.rng.choice(columns)
            else:
                expr = expressions.make(self.rng.choice(VALUE_KINDS), self.rng.randint(1, depth))
            name = column_name(expr.kind, number)
            flink.append(f"{expr.flink} AS {name}")
            duck.append(None if expr.duck is None else f"{expr.duck} AS {name}")
            made.append(Column(name, expr.kind))
        return flink, duck, made

    def project(self, depth):
        relation = self.make(depth - 1)
        columns = scope(relation, "x")
        expressions = Expressions(self.rng, columns)
        flink, duck, made = self.select_list(columns, expressions, self.rng.randint(1, 6))
        items = joined(flink, duck, ", ")
        where = expressions.condition() if self.rng.random() < 0.6 else None
        return self.derive(relation, *self.select(items, source(relation, "x"), where), made, "filter" if where else "project", in_order=relation.in_order)

    @staticmethod
    def select(items, origin, where=None, tail=("", "")):
        flink = f"SELECT {items[0]} FROM {origin[0]}" + (f" WHERE {where.flink}" if where else "") + tail[0]
        parts = [items[1], origin[1], tail[1]] + ([where.duck] if where else [])
        if any(p is None for p in parts):
            return flink, None
        return flink, f"SELECT {items[1]} FROM {origin[1]}" + (f" WHERE {where.duck}" if where else "") + tail[1]

    def keys(self, columns, least, most, kinds=KEY_KINDS):
        fitting = [c for c in columns if c.kind in kinds]
        preferred = [c for c in fitting if c.flink.split(".")[-1] in ("k", "g", "f")] or fitting
        count = min(len(fitting), self.rng.randint(least, most))
        chosen = []
        while len(chosen) < count:
            column = self.rng.choice(preferred if self.rng.random() < 0.6 else fitting)
            if column not in chosen:
                chosen.append(column)
        return chosen

    def aggregate(self, depth):
        relation = self.make(depth - 1)
        columns = scope(relation, "x")
        expressions = Expressions(self.rng, columns)
        keys = self.keys(columns, 0 if self.rng.random() < 0.25 else 1, 2)
        calls = aggregates.random_calls(self.rng, relation, columns, expressions, len(keys))
        items = joined([f"{k.flink} AS c{i}" for i, k in enumerate(keys)] + calls.flink, [f"{k.duck} AS c{i}" for i, k in enumerate(keys)] + calls.duck, ", ")
        tail = " HAVING COUNT(*) > 0"       # of no rows streaming has no answer and batch has one
        if keys:
            tail = " GROUP BY " + ", ".join(k.flink for k in keys)
            if self.rng.random() < 0.25:
                tail += " HAVING COUNT(*) > 1"
        made = [Column(f"c{i}", k.kind) for i, k in enumerate(keys)] + calls.columns
        where = expressions.condition() if self.rng.random() < 0.25 else None
        return self.derive(relation, *self.select(items, source(relation, "x"), where, (tail, tail)), made, "aggregate", append_only=False,
                           tags=relation.tags | calls.tags | {"aggregate" if keys else "aggregate:global"}, modes=merge_modes(relation.modes, calls.modes) or relation.modes)

    def grouping_sets(self, depth):
        relation = self.make(depth - 1)
        columns = scope(relation, "x")
        keys = self.keys(columns, 2, 3)
        if len(keys) < 2:
            return None
        calls = aggregates.random_calls(self.rng, relation, columns, Expressions(self.rng, columns), len(keys) + 1, distinct=False)
        names = [k.flink for k in keys]
        form = self.rng.choice(["ROLLUP", "CUBE", "SETS"])
        if form == "SETS":
            sets = ["()", f"({', '.join(names)})"] + [f"({n})" for n in names]
            group = f"GROUPING SETS ({', '.join(self.rng.sample(sets, self.rng.randint(1, len(sets))))})"
        else:
            group = f"{form} ({', '.join(names)})"
        marks = [f"GROUPING({names[0]}) AS c{len(keys)}"]
        items = joined([f"{n} AS c{i}" for i, n in enumerate(names)] + marks + calls.flink, [f"{n} AS c{i}" for i, n in enumerate(names)] + marks + calls.duck, ", ")
        made = [Column(f"c{i}", k.kind) for i, k in enumerate(keys)] + [Column(f"c{len(keys)}", "BIGINT")] + calls.columns
        if form == "SETS" and any(f"({n})" not in group and f"({', '.join(names)})" not in group for n in names):
            return None
        tail = f" GROUP BY {group} HAVING COUNT(*) > 0"
        return self.derive(relation, *self.select(items, source(relation, "x"), None, (tail, tail)), made, "grouping", append_only=False,
                           tags=relation.tags | calls.tags | {f"grouping:{form}"}, modes=merge_modes(relation.modes, calls.modes) or relation.modes)

    def distinct(self, depth):
        relation = self.make(depth - 1)
        keys = self.keys(scope(relation, "x"), 1, 3, ORDER_KINDS)
        if not keys:
            return None
        items = ", ".join(f"{k.flink} AS c{i}" for i, k in enumerate(keys))
        return self.derive(relation, *self.select((f"DISTINCT {items}",) * 2, source(relation, "x")), [Column(f"c{i}", k.kind) for i, k in enumerate(keys)], "distinct")

    def ordering(self, columns, first):
        """An order without ties but of equal rows: `first`, then every column that can be ordered."""
        flink, duck = [], []
        for column in first + [c for c in columns if c.kind in ORDER_KINDS and c not in first]:
            falls = self.rng.random() < 0.4
            flink.append(column.flink + (" DESC" if falls else ""))
            duck.append(f"{column.duck} {'DESC NULLS LAST' if falls else 'ASC NULLS FIRST'}")
        return ", ".join(flink), ", ".join(duck)

    def orderable(self, relation, alias):
        return [c for c in scope(relation, alias) if c.kind in ORDER_KINDS]

    def top_n(self, depth):
        relation = self.make(depth - 1)
        columns = self.orderable(relation, "x")
        if not columns:
            return None
        keys = self.keys(columns, 0, 2)
        first = self.rng.sample(columns, 1)
        order = self.ordering(columns, first)
        names = [c.flink.split(".")[-1] for c in columns]
        # The first row alone of rows that only come is sent without what it replaces, as Flink does: not a table.
        limit = self.rng.choice((["<= 2"] if relation.append_only else ["= 1", "<= 1"]) + ["<= 2", "<= 3", "< 4", "BETWEEN 2 AND 3"])
        shows = self.rng.random() < 0.5
        partition = f"PARTITION BY {', '.join(k.flink for k in keys)} " if keys else ""
        made = [Column(n, c.kind) for n, c in zip(names, columns)] + ([Column("n", "BIGINT")] if shows else [])
        texts = []
        for text, origin in zip(order, source(relation, "x")):
            inner = f"SELECT {', '.join(c.flink for c in columns)}, ROW_NUMBER() OVER ({partition}ORDER BY {text}) AS n FROM {origin}"
            texts.append(f"SELECT {', '.join(c.name for c in made)} FROM ({inner}) AS q WHERE n {limit}")
        tag = "top-n:" + ("number" if shows else "plain") + ("" if relation.append_only else ":updated")
        return self.derive(relation, *texts, made, tag, append_only=False)

    def deduplicate(self, depth):
        relation = self.scan(append=True, timed=True)
        columns = scope(relation, "x")
        keys = self.keys(columns, 1, 2)
        falls = self.rng.random() < 0.5
        inner = (f"SELECT *, ROW_NUMBER() OVER (PARTITION BY {', '.join(k.flink for k in keys)} ORDER BY ts {'DESC' if falls else 'ASC'}) AS n FROM {relation.flink} AS x")
        made = [c for c in relation.columns if c.kind != "ARR"]
        text = f"SELECT {', '.join(c.name for c in made)} FROM ({inner}) AS q WHERE n = 1"
        return self.derive(relation, text, text, made, f"deduplicate:{'last' if falls else 'first'}", append_only=not falls)

    def set_operation(self, depth):
        left, right = self.make(depth - 1), self.make(depth - 1)
        modes = merge_modes(left.modes, right.modes)
        operator = self.rng.choice(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"])
        pairs = []
        for column in self.rng.sample(left.columns, len(left.columns)):
            same = [c for c in right.columns if c.kind == column.kind and c.kind not in ("BAG", "APX", "ARR")]
            if same and len(pairs) < 3:
                pairs.append((column, self.rng.choice(same)))
        if not pairs or modes is None:
            return None
        texts = []
        for side in range(2):
            origin_l, origin_r = source(left, "l")[side], source(right, "r")[side]
            if origin_l is None or origin_r is None:
                texts.append(None)
                continue
            a = f"SELECT {', '.join(f'l.{p.name} AS c{i}' for i, (p, _) in enumerate(pairs))} FROM {origin_l}"
            b = f"SELECT {', '.join(f'r.{p.name} AS c{i}' for i, (_, p) in enumerate(pairs))} FROM {origin_r}"
            texts.append(f"({a}) {operator} ({b})")
        append = operator == "UNION ALL" and left.append_only and right.append_only
        return Relation(*texts, [Column(f"c{i}", p.kind) for i, (p, _) in enumerate(pairs)], append_only=append, tags=left.tags | right.tags | {f"set:{operator}"},
                        tables=left.tables | right.tables, modes=modes)

    def unnest(self, depth):
        relation = self.make(depth - 1)
        arrays = relation.of_kind("ARR")
        if not arrays:
            relation = self.scan(append=True)
            arrays = relation.of_kind("ARR")
        column = self.rng.choice(arrays)
        columns = scope(relation, "x") + [Expr("y.e", "y.e", "INT")]
        expressions = Expressions(self.rng, columns)
        flink, duck, made = self.select_list(columns, expressions, self.rng.randint(1, 4), 1)
        items = joined(flink + [f"y.e AS c{len(made)}"], duck + [f"y.e AS c{len(made)}"], ", ")
        made.append(Column(f"c{len(made)}", "INT"))
        origin = source(relation, "x")
        outer = self.rng.random() < 0.3
        if outer:
            origin = (f"{origin[0]} LEFT JOIN UNNEST(x.{column.name}) AS y(e) ON TRUE", None)
        else:
            origin = (f"{origin[0]} CROSS JOIN UNNEST(x.{column.name}) AS y(e)",
                      None if origin[1] is None else f"{origin[1]}, (SELECT UNNEST(x.{column.name}) AS e) AS y")
        return self.derive(relation, *self.select(items, origin), made, "unnest:left" if outer else "unnest")

    # What reads several relations.

    def equal_pairs(self, left, right, most):
        pairs = []
        for kind in self.rng.sample(KEY_KINDS, len(KEY_KINDS)):
            a, b = [c for c in left if c.kind == kind], [c for c in right if c.kind == kind]
            if a and b and len(pairs) < most:
                pairs.append((self.rng.choice(a), self.rng.choice(b)))
        named = [(a, b) for a in left for b in right if a.flink[2:] == b.flink[2:] and a.flink[2:] in ("id", "k", "g")]
        if named and self.rng.random() < 0.7:
            pairs = [self.rng.choice(named)] + pairs[1:]
        return pairs

    def join(self, depth):
        left, right = self.make(depth - 1), self.make(depth - 1)
        modes = merge_modes(left.modes, right.modes)
        l, r = scope(left, "l"), scope(right, "r")
        kind = self.rng.choice(["INNER", "INNER", "LEFT", "RIGHT", "FULL"])
        pairs = self.equal_pairs(l, r, 2 if self.rng.random() < 0.3 else 1) if kind != "INNER" or self.rng.random() < 0.8 else []
        if modes is None or (not pairs and kind != "INNER"):
            return None
        conditions = [Expr(f"{a.flink} = {b.flink}", f"{a.duck} = {b.duck}", "BOOL") for a, b in pairs]
        if pairs and self.rng.random() < 0.5:
            conditions.append(Expressions(self.rng, l + r).condition(2))
        elif not pairs:
            conditions.append(Expressions(self.rng, l + r).condition(1))
        tag = kind if pairs else "theta"
        if pairs and conditions[1:] and len(conditions) > len(pairs):
            tag += ":residual"
        on = joined([f"({c.flink})" for c in conditions], [None if c.duck is None else f"({c.duck})" for c in conditions], " AND ")
        flink, duck, made = self.select_list(l + r, Expressions(self.rng, l + r), self.rng.randint(2, 6), 1)
        items = joined(flink, duck, ", ")
        origins = source(left, "l"), source(right, "r")
        origin = (f"{origins[0][0]} {kind} JOIN {origins[1][0]} ON {on[0]}",
                  None if None in (origins[0][1], origins[1][1], on[1]) else f"{origins[0][1]} {kind} JOIN {origins[1][1]} ON {on[1]}")
        append = left.append_only and right.append_only and kind == "INNER"
        suffix = "" if left.append_only and right.append_only else ":updated"
        return Relation(*self.select(items, origin), made, append_only=append, tags=left.tags | right.tags | {f"join:{tag}{suffix}"}, tables=left.tables | right.tables, modes=modes)

    def semi_join(self, depth):
        left, right = self.make(depth - 1), self.make(depth - 1)
        modes = merge_modes(left.modes, right.modes)
        l, r = scope(left, "l"), scope(right, "r")
        pairs = self.equal_pairs(l, r, 1)
        if modes is None or not pairs:
            return None
        a, b = pairs[0]
        form = self.rng.choice(["IN", "NOT IN", "EXISTS", "NOT EXISTS"])
        inner = Expressions(self.rng, r).condition(1) if self.rng.random() < 0.5 else Expr("TRUE", "TRUE", "BOOL")
        origins = source(left, "l"), source(right, "r")
        texts = []
        for side, part in enumerate((inner.flink, inner.duck)):
            if part is None or origins[0][side] is None or origins[1][side] is None:
                texts.append(None)
                continue
            names = ", ".join(f"l.{c.name}" for c in left.columns)
            if "IN" in form.split():
                test = f"{a.flink} {form} (SELECT {b.flink} FROM {origins[1][side]} WHERE {part})"
            else:
                test = f"{form} (SELECT 1 FROM {origins[1][side]} WHERE {b.flink} = {a.flink} AND {part})"
            texts.append(f"SELECT {names} FROM {origins[0][side]} WHERE {test}")
        suffix = "" if left.append_only and right.append_only else ":updated"
        append = left.append_only and right.append_only and not form.startswith("NOT")
        return Relation(*texts, list(left.columns), append_only=append, tags=left.tags | right.tags | {f"join:{form}{suffix}"}, tables=left.tables | right.tables, modes=modes)

    def scalar_filter(self, depth):
        """A comparison with a scalar sub-query, of the whole or correlated."""
        left, right = self.make(depth - 1), self.scan()
        numbers = left.of_kind("INT", "BIGINT")
        keys = [c for c in left.columns if c.kind == "INT"]
        if not numbers:
            return None
        number, function = self.rng.choice(numbers), self.rng.choice(["MAX", "MIN", "AVG", "COUNT"])
        correlated = bool(keys) and self.rng.random() < 0.5
        where = f" WHERE r.k = l.{self.rng.choice(keys).name}" if correlated else ""
        duck_call = {"AVG": "SUM(r.a) // COUNT(r.a)"}.get(function, f"{function}(r.a)")
        texts = []
        for origin, call in zip(source(left, "l"), (f"{function}(r.a)", duck_call)):
            texts.append(None if origin is None else f"SELECT * FROM {origin} WHERE l.{number.name} >= (SELECT {call} FROM {right.flink} AS r{where})")
        return Relation(*texts, list(left.columns), append_only=False, tags=left.tags | {f"scalar:{'correlated' if correlated else 'plain'}"},
                        tables=left.tables | right.tables, modes=left.modes)

    def with_scalar(self, depth):
        """A scalar sub-query in the SELECT list, under WITH."""
        left, right = self.make(depth - 1), self.scan()
        keys = [c for c in left.columns if c.kind == "INT"]
        if not keys:
            return None
        call = self.rng.choice(["MAX(r.b)", "MIN(r.s)", "COUNT(*)", "SUM(r.m)"])
        kind = {"MAX(r.b)": "BIGINT", "MIN(r.s)": "STRING", "COUNT(*)": "BIGINT", "SUM(r.m)": "DEC"}[call]
        key = self.rng.choice(keys).name
        texts = []
        for text in (left.flink, left.duck):
            body = text if text is None or not text.isidentifier() else f"SELECT * FROM {text}"
            texts.append(None if text is None else f"SELECT * FROM (WITH w AS ({body}) SELECT w.{key} AS c0, (SELECT {call} FROM {right.flink} AS r WHERE r.k = w.{key}) AS c1 FROM w) AS z")
        return Relation(*texts, [Column("c0", "INT"), Column("c1", kind)], append_only=False, tags=left.tags | {"scalar:select"}, tables=left.tables | right.tables, modes=left.modes)

    def lateral(self, depth):
        left, right = self.make(depth - 1), self.scan()
        keys = [c for c in left.columns if c.kind == "INT"]
        if not keys:
            return None
        key = self.rng.choice(keys).name
        outer = self.rng.random() < 0.4
        texts = []
        for origin in source(left, "l"):
            inner = f"LATERAL (SELECT r.id AS c1, r.a AS c2 FROM {right.flink} AS r WHERE r.k = l.{key})"
            texts.append(None if origin is None else f"SELECT l.{key} AS c0, q.c1, q.c2 FROM {origin}" + (f" LEFT JOIN {inner} AS q ON TRUE" if outer else f", {inner} AS q"))
        return Relation(*texts, [Column("c0", "INT"), Column("c1", "INT"), Column("c2", "INT")], append_only=left.append_only and right.append_only and not outer,
                        tags=left.tags | right.tags | {"lateral:left" if outer else "lateral"}, tables=left.tables | right.tables, modes=left.modes)

    # What needs time.

    def over(self, depth):
        return times.over(self)

    def window(self, depth):
        return times.window(self)

    def interval_join(self, depth):
        return times.interval_join(self)

    # The whole query.

    def query(self):
        relation = self.make(self.rng.choice([1, 2, 2, 3, 3, 4]))
        if relation.flink.isidentifier():
            relation = self.project(1)
        if self.rng.random() < 0.2 and not relation.is_sorted:
            return self.sort(relation)
        return relation

    def sort(self, relation):
        columns = self.orderable(relation, "z")
        if not columns:
            return relation
        order = self.ordering(columns, self.rng.sample(columns, 1))
        limit = self.rng.choice(["", " LIMIT 1", " LIMIT 3", " LIMIT 5 OFFSET 2", " FETCH FIRST 4 ROWS ONLY"])
        names = ", ".join(c.flink for c in columns)
        texts = [None if o is None else f"SELECT {names} FROM {o} ORDER BY {by}{limit if side == 0 else limit.replace(' FETCH FIRST 4 ROWS ONLY', ' LIMIT 4')}"
                 for side, (o, by) in enumerate(zip(source(relation, "z"), order))]
        made = [Column(c.flink[2:], c.kind) for c in columns]
        return self.derive(relation, *texts, made, "sort:limit" if limit else "sort", append_only=False, is_sorted=True)
