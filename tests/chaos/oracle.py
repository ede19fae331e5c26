"""What a disturbed run may have written, judged by an undisturbed one."""
import collections
import json
import os


class Wrong(Exception):
    """The output breaks a promise; the text says which."""


def read_parts(folder):
    """The visible files' lines, file by file."""
    parts = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.startswith(("_", ".")):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as part:
            text = part.read()
        if text and not text.endswith("\n"):
            raise Wrong(f"{name} ends within a row: {text[-80:]!r}")
        parts.append(text.splitlines())
    return parts


def table_of(lines, changes):
    """How often each row is in the table that the messages build."""
    table = collections.Counter()
    for line in lines:
        if not changes:
            table[line] += 1
            continue
        message = json.loads(line)
        if message["op"] == "d":
            table[json.dumps(message["before"])] -= 1
        else:
            table[json.dumps(message["after"])] += 1
    return collections.Counter({row: count for row, count in table.items() if count != 0})


def difference(found, expected):
    lost = expected - found
    doubled = found - expected
    text = []
    for what, rows in (("missing", lost), ("too many", doubled)):
        if rows:
            text.append(f"{what}: {sum(rows.values())}, such as {sorted(rows)[:3]}")
    negative = [row for row, count in found.items() if count < 0]
    if negative:
        text.append(f"deleted more often than inserted: {negative[:3]}")
    return "; ".join(text)


class Oracle:
    """Made from the output of an undisturbed run."""

    def __init__(self, pipeline, parts):
        self.pipeline = pipeline
        lines = [line for part in parts for line in part]
        if not lines:
            raise Wrong(f"pipeline {pipeline.name} writes nothing: it proves nothing")
        self.messages = collections.Counter(lines)
        self.table = table_of(lines, pipeline.changes)
        self.places = {}                             # message → (key, place among the messages of its key)
        if pipeline.key:
            counts = collections.Counter()
            for line in lines:
                key = self.key_of(line)
                self.places[line] = (key, counts[key])
                counts[key] += 1
            if len(self.places) != len(lines):
                raise Wrong(f"pipeline {pipeline.name}: messages are not unique, so their order cannot be judged")

    def key_of(self, line):
        message = json.loads(line)
        if self.pipeline.changes:
            message = message["after"] or message["before"]
        return tuple(message[column] for column in self.pipeline.key)

    def check_part_of_the_way(self, folder):
        """What is visible at any time is committed for good: nothing that an undisturbed run would not write."""
        if not self.pipeline.messages:
            read_parts(folder)
            return
        doubled = collections.Counter(line for part in read_parts(folder) for line in part) - self.messages
        if doubled:
            raise Wrong(f"visible before the end, and too many: {sum(doubled.values())}, such as {sorted(doubled)[:3]}")

    def check_end(self, folder, rescaled):
        parts = read_parts(folder)
        lines = [line for part in parts for line in part]
        if table := difference(table_of(lines, self.pipeline.changes), self.table):
            raise Wrong("the table differs: " + table)
        if self.pipeline.messages and (messages := difference(collections.Counter(lines), self.messages)):
            raise Wrong("the messages differ: " + messages)
        if self.places and not rescaled:
            self.check_order(parts)
        hidden = [name for name in os.listdir(folder) if name.startswith(".")] if os.path.isdir(folder) else []
        return len(hidden)

    def check_order(self, parts):
        """Within a file the messages of a key ascend, and no two files interleave."""
        spans = collections.defaultdict(list)
        for part in parts:
            places = collections.defaultdict(list)
            for line in part:
                key, place = self.places[line]
                places[key].append(place)
            for key, found in places.items():
                if found != list(range(found[0], found[0] + len(found))):
                    raise Wrong(f"messages of key {key} are out of order within a file: {found[:10]}")
                spans[key].append((found[0], found[-1]))
        for key, of_key in spans.items():
            of_key.sort()
            for (_, last), (first, _) in zip(of_key, of_key[1:]):
                if first != last + 1:
                    raise Wrong(f"messages of key {key} are out of order across files: {of_key}")
