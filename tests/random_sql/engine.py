"""Runs many queries with `thalweg test --record`, in one process for each mode, and reads the answers."""
import os
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field

from tables import create_text

# Name: (options, whether the tables are those of batch)
MODES = {
    "streaming": ([], False),
    "batches of 1": (["--batch-rows", "1"], False),
    "mini-batch": (["--mini-batch"], False),
    "parallelism 2": (["--parallelism", "2"], False),
    "restored": (["--restore", "3", "--batch-rows", "2"], False),
    "spilled": (["--spill", "--batch-rows", "3"], False),
    "batch": ([], True),
    "batch, parallelism 2": (["--parallelism", "2", "--batch-rows", "2"], True),
    "batch, spilled": (["--spill", "--batch-rows", "3"], True),
}
STEPS = ("streaming", "batches of 1", "restored", "spilled")      # the modes with one order of arrival and no bundles
COSTLY = {"restored": 0, "spilled": 2, "batch, spilled": 1}      # run for one query in four, by its number
SECONDS_MAX = 1800


MULTISET = re.compile(r"\{[^{}]*=\d+\}")


def sorted_multiset(match):
    """`{b=1, a=2}` has no order: the same multiset may be written in another one when it is taken back."""
    return "{" + ", ".join(sorted(match[0][1:-1].split(", "))) + "}"


@dataclass
class Answer:
    failed: bool = False
    phase: str = ""
    text: str = ""                  # the message of a failure
    schema: str = ""
    messages: list = field(default_factory=list)
    rows: Counter = field(default_factory=Counter)
    broken: str = ""                # a message that retracts what is not there

    def apply(self):
        for message in self.messages:
            kind, row = message[:2], MULTISET.sub(sorted_multiset, message[2:])
            if kind in ("+I", "+U"):
                self.rows[row] += 1
            elif self.rows[row] > 0:
                self.rows[row] -= 1
            elif not self.broken:
                self.broken = f"retracts a row that is not there: {message}"
        self.rows = +self.rows


def modes_of(relation, number):
    fitting = {"batch": [m for m in MODES if MODES[m][1]], "steps": STEPS, "stream": [m for m in MODES if not MODES[m][1]]}
    return [m for m in fitting.get(relation.modes, MODES) if COSTLY.get(m, number % 4) == number % 4]


def case_text(tables, queries, batch):
    """A file of cases; `queries` are (name, text)."""
    lines = ["# random queries"]
    statements = []
    for table in tables:
        statement, file, content = create_text(table, batch)
        statements.append(statement)
        lines += [f"--- file {file}", content.rstrip("\n")] if content else [f"--- file {file}"]
    lines += [f"--- mode {'batch' if batch else 'streaming'}", "--- sql", *statements]
    for name, text in queries:
        lines += ["--- query", f"-- {name}", text, "--- expect ordered"]
    return "\n".join(lines) + "\n"


def read_answers(path):
    """Name of the query: its answer."""
    answers, name, answer = {}, None, None
    for line in open(path, encoding="utf-8").read().split("\n"):
        if line == "--- query":
            name, answer = "", None
        elif name == "" and line.startswith("-- "):
            name = line[3:]
        elif line.startswith("--- expect "):
            answer = answers[name] = Answer(failed=line.startswith("--- expect error"), phase=line.split(" ")[-1])
        elif answer is not None and line:
            if answer.failed:
                answer.text += line + "\n"
            elif not answer.schema:
                answer.schema = line
            else:
                answer.messages.append(line)
    for answer in answers.values():
        answer.apply()
    return answers


def run(program, groups, mode):
    """Answers to the queries of `groups` ((tables, [(name, text)])), and what made the program end early."""
    options, batch = MODES[mode]
    with tempfile.TemporaryDirectory(prefix="random-sql-") as folder:
        paths = []
        for number, (tables, queries) in enumerate(groups):
            if not queries:
                continue
            paths.append(os.path.join(folder, f"group{number:05}.test"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(case_text(tables, queries, batch))
        if not paths:
            return {}, ""
        ended = ""
        try:
            done = subprocess.run([program, "test", "--record", "--quiet", *options, folder], capture_output=True, text=True, timeout=SECONDS_MAX)
            if done.returncode not in (0, 1):
                ended = f"the program ended with {done.returncode}: {done.stderr[-2000:]}"
        except subprocess.TimeoutExpired:
            ended = f"no answer within {SECONDS_MAX} s"
        answers = {}
        for path in paths:
            answers.update(read_answers(path))
        return answers, ended


def split_row(text):
    """The fields of `[1, abc, [2, 3]]`."""
    fields, depth, start = [], 0, 1
    for at, char in enumerate(text):
        if char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        if (depth == 1 and char == "," and text[at:at + 2] == ", ") or depth == 0:
            fields.append(text[start:at])
            start = at + 2
    return fields


def column_types(schema):
    """The types of `(a INT, b DECIMAL(10, 2) NOT NULL)`, without names and NOT NULL."""
    types, depth, start = [], 0, 1
    for at, char in enumerate(schema):
        if char in "(<":
            depth += 1
        elif char in ")>":
            depth -= 1
        if (depth == 1 and char == ",") or (depth == 0 and at == len(schema) - 1):
            definition = schema[start:at].strip()
            start = at + 1
            name, _, rest = definition.partition(" ")
            types.append(re.sub(r"( NOT NULL| \*\w+\*)+$", "", rest))
    return types
