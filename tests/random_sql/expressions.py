"""Random typed expressions: a table of templates, most of them with the same meaning in DuckDB."""
from dialects import Expr, both

SAME = "same"
LITERALS = {
    "INT": ["0", "1", "2", "-3", "7", "100"],
    "BIGINT": ["CAST(0 AS BIGINT)", "CAST(5 AS BIGINT)", "3000000000", "CAST(-1 AS BIGINT)"],
    "DOUBLE": ["CAST(0.5 AS DOUBLE)", "CAST(-2.25 AS DOUBLE)", "CAST(3 AS DOUBLE)"],
    "DEC": ["1.50", "0.01", "-12.3", "100.00"],
    "STRING": ["'a'", "'ab'", "''", "'x-y'", "'日本'", "'Zz'"],
    "BOOL": ["TRUE", "FALSE"],
    "DATE": ["DATE '2024-02-29'", "DATE '2023-12-31'"],
    "TS": ["TIMESTAMP '2024-02-29 00:00:01.500'", "TIMESTAMP '2023-12-31 23:59:59'"],
    "ARR": [],
}

# Result kind: (Flink's text, DuckDB's text or SAME or None, kinds of the arguments). `n` is a small positive literal.
TEMPLATES = {
    "INT": [
        ("({0} + {1})", SAME, "INT INT"), ("({0} - {1})", SAME, "INT INT"), ("({0} * {1})", SAME, "INT n"), ("-({0})", SAME, "INT"),
        ("({0} / {1})", "({0} // {1})", "INT n"), ("MOD({0}, {1})", "({0} % {1})", "INT n"), ("ABS({0})", SAME, "INT"),
        ("CHAR_LENGTH({0})", "length({0})", "STRING"), ("POSITION({0} IN {1})", "strpos({1}, {0})", "STRING STRING"),
        ("CAST({0} AS INT)", "CAST(trunc({0}) AS INT)", "DOUBLE"), ("CAST({0} AS INT)", "CAST(trunc({0}) AS INT)", "DEC"), ("CAST({0} AS INT)", SAME, "BOOL"),
        ("CASE WHEN {0} THEN {1} ELSE {2} END", SAME, "BOOL INT INT"), ("CASE WHEN {0} THEN {1} END", SAME, "BOOL INT"), ("COALESCE({0}, {1})", SAME, "INT INT"),
        ("NULLIF({0}, {1})", SAME, "INT INT"), ("IF({0}, {1}, {2})", "CASE WHEN {0} THEN {1} ELSE {2} END", "BOOL INT INT"), ("IFNULL({0}, {1})", "COALESCE({0}, {1})", "INT INT"),
        ("CAST(EXTRACT(YEAR FROM {0}) AS INT)", SAME, "DATE"), ("CAST(EXTRACT(DAY FROM {0}) AS INT)", SAME, "TS"),
        ("CAST(QUARTER({0}) AS INT)", SAME, "DATE"), ("CAST(DAYOFYEAR({0}) AS INT)", SAME, "DATE"), ("SIGN({0})", SAME, "INT"),
        ("CARDINALITY({0})", "len({0})", "ARR"), ("{0}[{1}]", SAME, "COL:ARR n"), ("ARRAY_POSITION({0}, {1})", None, "ARR INT"),
        ("GREATEST({0}, {1})", None, "INT INT"), ("LEAST({0}, {1}, {2})", None, "INT INT INT"), ("ASCII({0})", None, "STRING"),
        ("CASE {0} WHEN 1 THEN {1} WHEN 2 THEN {2} ELSE 0 END", SAME, "INT INT INT"), ("CAST({0} AS SMALLINT)", None, "INT"), ("TRY_CAST({0} AS INT)", None, "STRING"),
        ("TIMESTAMPDIFF(SECOND, {0}, {1})", None, "TS TS"), ("CAST(ROW({0}, {1}) AS ROW<p INT, q STRING>).p", None, "INT STRING"), ("MAP['p', {0}]['p']", None, "INT"),
        ("LOCATE({0}, {1})", "strpos({1}, {0})", "STRING STRING"), ("REGEXP_COUNT({0}, 'a')", None, "STRING"), ("CAST(JSON_VALUE('{{\"a\": 5}}', '$.a') AS INT)", None, ""),
    ],
    "BIGINT": [
        ("CAST({0} AS BIGINT)", SAME, "INT"), ("({0} + {1})", SAME, "BIGINT INT"), ("({0} - {1})", SAME, "BIGINT BIGINT"), ("COALESCE({0}, {1})", SAME, "BIGINT BIGINT"),
        ("CASE WHEN {0} THEN {1} ELSE {2} END", SAME, "BOOL BIGINT BIGINT"), ("ABS({0})", SAME, "BIGINT"), ("({0} / {1})", "({0} // {1})", "BIGINT n"),
        ("CAST(FLOOR({0}) AS BIGINT)", SAME, "DOUBLE"), ("EXTRACT(MONTH FROM {0})", SAME, "TS"),
    ],
    "DOUBLE": [
        ("({0} + {1})", SAME, "DOUBLE DOUBLE"), ("({0} - {1})", SAME, "DOUBLE DOUBLE"), ("({0} * {1})", SAME, "DOUBLE n"), ("CAST({0} AS DOUBLE)", SAME, "INT"),
        ("CAST({0} AS DOUBLE)", SAME, "DEC"), ("ABS({0})", SAME, "DOUBLE"), ("FLOOR({0})", SAME, "DOUBLE"), ("CEIL({0})", SAME, "DOUBLE"),
        ("FLOOR(SQRT(ABS({0})))", SAME, "DOUBLE"), ("CASE WHEN {0} THEN {1} ELSE {2} END", SAME, "BOOL DOUBLE DOUBLE"), ("COALESCE({0}, {1})", SAME, "DOUBLE DOUBLE"),
        ("({0} / 4)", SAME, "DOUBLE"), ("NULLIF({0}, {1})", SAME, "DOUBLE DOUBLE"), ("ROUND({0}, 0)", None, "DOUBLE"), ("POWER({0}, 2)", SAME, "DOUBLE"),
        ("TRUNCATE({0}, 0)", None, "DOUBLE"), ("SIGN({0})", None, "DOUBLE"),
    ],
    "DEC": [
        ("({0} + {1})", SAME, "COL:DEC COL:DEC"), ("({0} - {1})", SAME, "COL:DEC COL:DEC"), ("({0} * {1})", SAME, "COL:DEC n"), ("CAST({0} AS DECIMAL(20, 3))", SAME, "INT"),
        ("ABS({0})", SAME, "DEC"), ("CASE WHEN {0} THEN {1} ELSE {2} END", SAME, "BOOL DEC DEC"), ("COALESCE({0}, {1})", SAME, "DEC DEC"),
        ("CAST({0} AS DECIMAL(12, 1))", SAME, "DEC"), ("CAST({0} AS DECIMAL(18, 2))", SAME, "DOUBLE"), ("ROUND({0}, 1)", SAME, "COL:DEC"), ("({0} / {1})", None, "COL:DEC n"),
        ("FLOOR({0})", SAME, "COL:DEC"),
    ],
    "STRING": [
        ("UPPER({0})", SAME, "STRING"), ("LOWER({0})", SAME, "STRING"), ("({0} || {1})", SAME, "STRING STRING"), ("TRIM({0})", SAME, "STRING"),
        ("SUBSTRING({0}, {1}, {2})", SAME, "STRING n n"), ("REPLACE({0}, 'a', {1})", SAME, "STRING STRING"), ("REVERSE({0})", None, "STRING"),
        ("CAST({0} AS STRING)", "CAST({0} AS VARCHAR)", "INT"), ("CAST({0} AS STRING)", "CAST({0} AS VARCHAR)", "BIGINT"), ("CAST({0} AS STRING)", "CAST({0} AS VARCHAR)", "DATE"),
        ("CAST({0} AS STRING)", "CAST({0} AS VARCHAR)", "COL:DEC"), ("CAST({0} AS STRING)", None, "BOOL"), ("CAST({0} AS STRING)", None, "DOUBLE"), ("CAST({0} AS VARCHAR(2))", None, "STRING"),
        ("CASE WHEN {0} THEN {1} ELSE {2} END", SAME, "BOOL STRING STRING"), ("COALESCE({0}, {1})", SAME, "STRING STRING"), ("NULLIF({0}, {1})", SAME, "STRING STRING"),
        ("LPAD({0}, {1}, 'x')", SAME, "STRING n"), ("RPAD({0}, {1}, 'yz')", SAME, "STRING n"), ("LEFT({0}, {1})", SAME, "STRING n"), ("RIGHT({0}, {1})", SAME, "STRING n"),
        ("REPEAT({0}, {1})", SAME, "STRING n"), ("CONCAT_WS('-', {0}, {1})", SAME, "STRING STRING"), ("CONCAT({0}, {1})", "({0} || {1})", "STRING STRING"), ("MD5({0})", SAME, "STRING"),
        ("DATE_FORMAT({0}, 'yyyy-MM-dd HH:mm')", "strftime({0}, '%Y-%m-%d %H:%M')", "TS"), ("SPLIT_INDEX({0}, '-', 0)", None, "STRING"), ("INITCAP({0})", None, "STRING"),
        ("REGEXP_REPLACE({0}, '[ab]+', '#')", "regexp_replace({0}, '[ab]+', '#', 'g')", "STRING"), ("TO_BASE64({0})", None, "STRING"), ("OVERLAY({0} PLACING 'Q' FROM 2)", None, "STRING"),
        ("JSON_OBJECT('v' VALUE {0})", None, "INT"), ("JSON_QUERY({0}, '$')", None, "STRING"), ("CHR({0})", None, "n"), ("SHA256({0})", "sha256({0})", "STRING"), ("LTRIM({0})", SAME, "STRING"),
        ("CAST({0} AS STRING)", None, "TS"), ("CAST({0} AS CHAR(4))", None, "STRING"), ("ELT({0}, {1}, {2})", None, "n STRING STRING"), ("TRANSLATE({0}, 'ab', 'B')", SAME, "STRING"),
    ],
    "BOOL": [
        ("{0} = {1}", SAME, "INT INT"), ("{0} <> {1}", SAME, "INT INT"), ("{0} < {1}", SAME, "INT BIGINT"), ("{0} >= {1}", SAME, "DOUBLE DOUBLE"), ("{0} = {1}", SAME, "STRING STRING"),
        ("{0} <= {1}", SAME, "STRING STRING"), ("{0} > {1}", SAME, "DEC DEC"), ("{0} = {1}", SAME, "DATE DATE"), ("{0} < {1}", SAME, "TS TS"), ("({0} AND {1})", SAME, "BOOL BOOL"),
        ("({0} OR {1})", SAME, "BOOL BOOL"), ("NOT ({0})", SAME, "BOOL"), ("{0} IS NULL", "({0}) IS NULL", "COL:ANY"), ("{0} IS NOT NULL", "({0}) IS NOT NULL", "COL:ANY"),
        ("({0}) IS TRUE", SAME, "BOOL"), ("({0}) IS NOT FALSE", SAME, "BOOL"), ("({0}) IS UNKNOWN", "({0}) IS NULL", "BOOL"), ("{0} IN (1, 2, {1})", SAME, "INT INT"),
        ("{0} NOT IN ('a', 'b')", SAME, "STRING"), ("{0} NOT IN (0, NULL)", SAME, "INT"), ("{0} BETWEEN {1} AND {2}", SAME, "INT INT INT"), ("{0} NOT BETWEEN {1} AND {2}", SAME, "DEC DEC DEC"),
        ("{0} LIKE '%a%'", SAME, "STRING"), ("{0} LIKE 'a_'", SAME, "STRING"), ("{0} NOT LIKE '%b'", SAME, "STRING"), ("{0} IS DISTINCT FROM {1}", SAME, "INT INT"),
        ("{0} IS NOT DISTINCT FROM {1}", SAME, "STRING STRING"), ("{0} SIMILAR TO '(a|b)+'", None, "STRING"), ("REGEXP({0}, '^a')", None, "STRING"), ("STARTSWITH({0}, {1})", "starts_with({0}, {1})", "STRING STRING"),
        ("ARRAY_CONTAINS({0}, {1})", "list_contains({0}, {1})", "ARR INT"), ("{0} IS JSON", None, "STRING"), ("{0} = {1}", SAME, "INT DEC"), ("{0} > {1}", SAME, "DOUBLE INT"), ("({0}) = ({1})", SAME, "BOOL BOOL"),
        ("{0} SIMILAR TO 'a%'", None, "STRING"),
    ],
    "DATE": [
        ("{0} + INTERVAL '1' DAY", "CAST({0} + INTERVAL 1 DAY AS DATE)", "DATE"), ("CAST({0} AS DATE)", SAME, "TS"), ("COALESCE({0}, {1})", SAME, "DATE DATE"),
        ("CASE WHEN {0} THEN {1} ELSE {2} END", SAME, "BOOL DATE DATE"), ("{0} - INTERVAL '3' MONTH", "CAST({0} - INTERVAL 3 MONTH AS DATE)", "DATE"), ("FLOOR({0} TO MONTH)", "CAST(date_trunc('month', {0}) AS DATE)", "COL:DATE"),
    ],
    "TS": [
        ("{0} + INTERVAL '90' MINUTE", "{0} + INTERVAL 90 MINUTE", "COL:TS"), ("CAST({0} AS TIMESTAMP(3))", "CAST({0} AS TIMESTAMP)", "DATE"), ("COALESCE({0}, {1})", SAME, "TS TS"),
        ("FLOOR({0} TO HOUR)", "date_trunc('hour', {0})", "COL:TS"), ("FLOOR({0} TO DAY)", "date_trunc('day', {0})", "COL:TS"), ("CASE WHEN {0} THEN {1} ELSE {2} END", SAME, "BOOL TS TS"),
        ("TIMESTAMPADD(DAY, 2, {0})", "{0} + INTERVAL 2 DAY", "COL:TS"), ("CEIL({0} TO MINUTE)", None, "COL:TS"),
    ],
    "ARR": [
        ("ARRAY[{0}, {1}]", "[{0}, {1}]", "INT INT"), ("ARRAY_DISTINCT({0})", None, "ARR"), ("ARRAY_SORT({0})", None, "ARR"), ("ARRAY_CONCAT({0}, {1})", None, "ARR ARR"),
        ("ARRAY_REMOVE({0}, {1})", None, "ARR INT"), ("ARRAY_REVERSE({0})", None, "ARR"), ("ARRAY_SLICE({0}, 1, 2)", None, "ARR"),
    ],
}


class Expressions:
    """Makes expressions over the columns of one or more relations."""

    def __init__(self, rng, columns):
        self.rng = rng
        self.columns = columns        # Expr per column, in both dialects

    def leaf(self, kind):
        fitting = [c for c in self.columns if c.kind == kind]
        if fitting and (self.rng.random() < 0.8 or not LITERALS[kind]):
            return self.rng.choice(fitting)
        if LITERALS[kind]:
            text = self.rng.choice(LITERALS[kind])
            return Expr(text, text, kind)
        return Expr("ARRAY[1, 2]", "[1, 2]", "ARR")

    def column(self, kind):
        fitting = [c for c in self.columns if (c.kind == kind or (kind == "ANY" and c.kind not in ("BAG", "APX", "ARR")))]
        return self.rng.choice(fitting) if fitting else None

    def argument(self, kind, depth):
        if kind == "n":
            text = str(self.rng.randint(1, 5))
            return Expr(text, text, "INT")
        if kind.startswith("COL:"):
            return self.column(kind[4:]) or self.leaf(kind[4:] if kind != "COL:ANY" else "INT")
        return self.make(kind, depth - 1)

    def make(self, kind, depth):
        if depth <= 0 or self.rng.random() < 0.2:
            return self.leaf(kind)
        flink, duck, kinds = self.rng.choice(TEMPLATES[kind])
        arguments = [self.argument(k, depth) for k in kinds.split()]
        return Expr(*both(flink, arguments, duck), kind)

    def condition(self, depth=2):
        return self.make("BOOL", depth)
