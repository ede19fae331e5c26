"""Takes rows away from the tables of a finding as long as it stays."""
import copy
from collections import Counter

import duck
from engine import modes_of
from judgement import judge

TRIALS_MAX = 60


def still_found(program, number, relation, tables, answers_of):
    name = str(number)
    answers = answers_of(program, [(tables, [(name, relation.flink)])], {name: relation})
    by_mode = {mode: answers[mode][0].get(name) for mode in modes_of(relation, number)}
    return judge(relation, by_mode, duck.Duck(tables) if duck.duckdb else None, Counter(), Counter())


def kind_of(finding):
    return finding.split(":")[0]


def shrink(program, number, relation, tables, finding, answers_of):
    trials = 0
    for index, table in enumerate(tables):
        if table.name not in relation.tables or table.changes is not None:
            continue
        size = max(1, len(table.rows) // 2)
        while size >= 1 and trials < TRIALS_MAX:
            at = 0
            while at < len(tables[index].rows) and trials < TRIALS_MAX:
                fewer = copy.copy(tables[index])
                fewer.rows = fewer.rows[:at] + fewer.rows[at + size:]
                attempt = tables[:index] + [fewer] + tables[index + 1:]
                trials += 1
                found = still_found(program, number, relation, attempt, answers_of)
                if found and kind_of(found) == kind_of(finding):
                    tables = attempt
                else:
                    at += size
            size //= 2
    return tables
