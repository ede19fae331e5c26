"""What is wrong with the answers to one query, if anything."""
import re

from comparison import difference, difference_from_duck, exact
from engine import MODES


def is_fault(answer):
    """Failures that are never the query's."""
    return answer is None or answer.phase == "ended" or "INTERNAL" in answer.text or (answer.phase == "parse")


def judge(relation, by_mode, duck, counts, refusals):
    for mode, answer in by_mode.items():
        if is_fault(answer):
            return f"{mode}: {answer.text.strip() if answer else 'no answer'}"
    answered = {mode: answer for mode, answer in by_mode.items() if not answer.failed}
    failed = {mode: answer for mode, answer in by_mode.items() if answer.failed}
    for answer in failed.values():
        refusals[re.sub(r"'[^']*'|\d+", "…", answer.text.strip().split("\n")[0])[:150]] += 1
    if finding := uneven_failures(by_mode, failed):
        return finding
    if not answered:
        counts["refused in every mode"] += 1
        return None
    for mode, answer in answered.items():
        if answer.broken:
            return f"{mode}: {answer.broken}"
    first, *others = answered
    for other in others:
        if text := difference(exact(answered[first], relation.columns), exact(answered[other], relation.columns)):
            return f"{first} (there) and {other} (here) differ:\n{text}"
        if answered[first].schema.replace(" *ROWTIME*", "") != answered[other].schema.replace(" *ROWTIME*", ""):
            return f"{first} and {other} have different schemas: {answered[first].schema} {answered[other].schema}"
    if relation.in_order and relation.append_only and "batches of 1" in answered and answered["streaming"].messages != answered["batches of 1"].messages:
        return "other messages in batches of one row"
    counts["compared"] += 1
    return compare_with_duck(relation, answered, duck, counts)


def uneven_failures(by_mode, failed):
    """A query is refused in all modes of streaming or in none, and in all of batch or in none."""
    for batch in (False, True):
        modes = [mode for mode in by_mode if MODES[mode][1] == batch]
        bad = [mode for mode in modes if mode in failed]
        if bad and len(bad) < len(modes):
            return f"{bad[0]} alone fails: {failed[bad[0]].text.strip()}"
    runtime = [mode for mode, answer in failed.items() if answer.phase == "runtime"]
    if runtime and len(failed) < len(by_mode):
        return f"{runtime[0]} alone fails: {failed[runtime[0]].text.strip()}"
    return None


def compare_with_duck(relation, answered, duck, counts):
    if relation.duck is None or duck is None:
        return None
    rows, error = duck.rows(relation.duck)
    if error:
        counts["refused by DuckDB"] += 1
        return None
    counts["compared with DuckDB"] += 1
    in_order = relation.is_sorted and "batch" in answered
    answer = answered["batch"] if in_order else next(iter(answered.values()))
    if text := difference_from_duck(answer, rows, in_order):
        return f"DuckDB (there) and the engine (here) differ:\n{text}"
    return None
