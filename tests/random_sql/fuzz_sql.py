#!/usr/bin/env python3
"""Random queries over small random tables: every mode of the engine, and DuckDB where it is there, must give one table.

fuzz_sql.py PROGRAM [--queries N] [--seed S] [--only NUMBER] [--coverage] [--least N]
fuzz_sql.py PROGRAM --mutants [--queries N]      plants each known fault in turn; each must be found within N queries
A query is made from the seed and its number alone: `--only` runs one again.
"""
import argparse
import os
import random
import sys
from collections import Counter

import duck
from engine import MODES, Answer, modes_of, run
from judgement import judge
from relations import Relations
from shrink import shrink
from tables import random_table

GROUP = 20          # queries that share tables
CHUNK = 400         # queries of one process
# Faults planted in kernels and operators (THALWEG_MUTANT), which the comparison must notice.
MUTANTS = ("less_takes_equal", "unknown_is_false", "substring_from_zero", "sum_keeps_retracted", "extreme_keeps_retracted", "padded_row_stays",
           "emptied_group_stays", "successor_forgotten", "candidates_count_as_matches", "last_run_left_out", "peers_apart", "blanked_keys_kept",
           "interval_end_left_out")


def tables_of(seed, group):
    rng = random.Random(f"{seed}/tables/{group}")
    return [random_table(rng, name, name.startswith("u")) for name in ("t0", "t1", "t2", "u0", "u1")]


def query_of(seed, number, tables):
    return Relations(random.Random(f"{seed}/query/{number}"), tables).query()


def answers_of(program, groups, relations):
    """By mode: the answers, and how the program ended."""
    answers = {}
    for mode in MODES:
        wanted = [(tables, [(name, text) for name, text in queries if mode in modes_of(relations[name], int(name))]) for tables, queries in groups]
        answers[mode] = run(program, wanted, mode)
        if answers[mode][1]:
            find_ending(program, wanted, mode, answers)
    return answers


def find_ending(program, groups, mode, answers):
    """Runs one query at a time until the one is found that ends the program."""
    found = answers[mode][0]
    for tables, queries in groups:
        for name, text in queries:
            one, ended = run(program, [(tables, [(name, text)])], mode)
            found.update(one)
            if ended:
                found[name] = Answer(failed=True, phase="ended", text=ended)
                print(f"query {name} in {mode}: {ended}")


def print_finding(seed, number, relation, tables, finding):
    print(f"--- query {number} of seed {seed}: {finding}")
    print(relation.flink)
    if relation.duck:
        print("in DuckDB: " + relation.duck)
    for table in tables:
        if table.name in relation.tables:
            print(f"{table.name}: {[c.name for c in table.columns]}")
            for row in table.rows:
                print(f"   {row}")
            for change in table.changes or []:
                print(f"   {change}")
    sys.stdout.flush()


def compare(options, chunk_size=CHUNK, findings_max=10, quiet=False):
    """Runs the queries; counts what happened, what was covered, what was refused, and the numbers of the findings."""
    counts, coverage, refusals, findings = Counter(), Counter(), Counter(), []
    numbers = range(options.queries) if options.only is None else [options.only]
    for begin in range(0, len(numbers), chunk_size):
        chunk = numbers[begin:begin + chunk_size]
        relations, groups, tables_by = {}, [], {}
        for number in chunk:
            group = number // GROUP
            if group not in tables_by:
                tables_by[group] = tables_of(options.seed, group)
                groups.append((tables_by[group], []))
            relation = query_of(options.seed, number, tables_by[group])
            relations[str(number)] = relation
            groups[-1][1].append((str(number), relation.flink))
        answers = answers_of(options.program, groups, relations)
        ducks = {}
        for number in chunk:
            relation, tables = relations[str(number)], tables_by[number // GROUP]
            by_mode = {mode: answers[mode][0].get(str(number)) for mode in modes_of(relation, number)}
            if number // GROUP not in ducks and duck.duckdb:
                ducks[number // GROUP] = duck.Duck(tables)
            finding = judge(relation, by_mode, ducks.get(number // GROUP), counts, refusals)
            counts["queries"] += 1
            if not finding:
                coverage.update(relation.tags)
                continue
            findings.append(number)
            if not quiet:
                tables = shrink(options.program, number, relation, tables, finding, answers_of)
                print_finding(options.seed, number, relation, tables, finding)
            if len(findings) >= findings_max:
                return counts, coverage, refusals, findings
    return counts, coverage, refusals, findings


def plant_mutants(options):
    """Whether every fault is found."""
    missed = []
    for mutant in MUTANTS:
        os.environ["THALWEG_FAILPOINTS"] = f"mutant.{mutant}=error"
        counts, _, _, findings = compare(options, 100, 1, quiet=True)
        print(f"{mutant}: " + (f"found by query {findings[0]} of seed {options.seed}" if findings else f"not found by {counts['queries']} queries"), flush=True)
        if not findings:
            missed.append(mutant)
    print(f"{len(MUTANTS) - len(missed)} of {len(MUTANTS)} mutants found" + (f"; not found: {', '.join(missed)}" if missed else ""))
    return not missed


def print_coverage(coverage, least):
    """Prints how often everything occurred; whether that was often enough (of calls in general, not of each form)."""
    rare = sorted(tag for tag, count in coverage.items() if count < least and not tag.startswith("form of "))
    for tag, count in sorted(coverage.items()):
        print(f"{count:7} {tag}")
    if rare:
        print(f"less than {least} times: {', '.join(rare)}")
    return not rare


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    parser.add_argument("--findings", type=int, default=10, help="stop after so many")
    parser.add_argument("--coverage", action="store_true", help="print how often each operator, join and aggregate occurred")
    parser.add_argument("--least", type=int, default=0, help="with --coverage: fail if something occurred less often")
    parser.add_argument("--mutants", action="store_true", help="plant each known fault in turn; needs a build with failpoints")
    options = parser.parse_args()
    if duck.duckdb is None:
        print("DuckDB is not installed (pip install duckdb): modes are compared with each other only")
    if options.mutants:
        return 0 if plant_mutants(options) else 1
    counts, coverage, refusals, findings = compare(options, findings_max=options.findings)
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    for text, count in refusals.most_common(12):
        print(f"refused {count} times: {text}")
    covered = print_coverage(coverage, options.least) if options.coverage else True
    print(f"{len(findings)} findings")
    return 1 if findings or not covered else 0


if __name__ == "__main__":
    sys.exit(main())
