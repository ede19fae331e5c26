"""Pieces of SQL in two dialects: Flink's, and DuckDB's where it can say the same."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Expr:
    """A typed expression. `duck` is None where DuckDB has no expression of the same meaning."""
    flink: str
    duck: str | None
    kind: str


@dataclass
class Column:
    """Kinds: INT BIGINT DOUBLE DEC STRING BOOL DATE TS ARR, and two that are only handed on: BAG (elements in any
    order) and APX (digits depend on the order of rows)."""
    name: str
    kind: str


@dataclass
class Relation:
    """A query or table that stands in FROM."""
    flink: str
    duck: str | None
    columns: list[Column]
    append_only: bool = True
    in_order: bool = False         # rows arrive in one order, whatever the mode
    time: str | None = None        # the column that is a time attribute
    tags: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    modes: str = "any"             # any, stream (no batch), batch (no streaming), steps (streaming of one order only)
    is_sorted: bool = False        # the rows of batch are in the order asked for

    def of_kind(self, *kinds):
        return [c for c in self.columns if c.kind in kinds]


KEY_KINDS = ("INT", "BIGINT", "STRING", "BOOL", "DATE", "DEC", "TS")
ORDER_KINDS = KEY_KINDS + ("DOUBLE",)
PREFIXES = {"BAG": "bag_", "APX": "apx_"}


def column_name(kind, number):
    return f"{PREFIXES.get(kind, 'c')}{number}"


def both(flink, parts, duck="same"):
    """Fills the two templates with the parts; no DuckDB text where one part has none."""
    filled = flink.format(*(p.flink for p in parts))
    if duck is None or any(p.duck is None for p in parts):
        return filled, None
    return filled, (flink if duck == "same" else duck).format(*(p.duck for p in parts))


def joined(flink_parts, duck_parts, separator):
    if any(d is None for d in duck_parts):
        return separator.join(flink_parts), None
    return separator.join(flink_parts), separator.join(duck_parts)


def merge_modes(*modes):
    """The modes in which all of the parts can run; None where there is none."""
    wanted = {m for m in modes if m != "any"}
    if not wanted:
        return "any"
    if len(wanted) == 1:
        return wanted.pop()
    if wanted == {"stream", "steps"}:
        return "steps"
    return None
