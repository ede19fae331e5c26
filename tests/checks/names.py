"""Names of files, folders and classes, and the furniture of rooms."""
import re

import tree

ROOM_TOPS = {"common", "coordinator", "worker", "client"}
README_LINES_MAX = 30
BANNED = {"util", "utils", "helper", "helpers", "misc", "manager", "managers", "common"}
# Terms of the field that hold a banned word: SQL calls what WITH defines a common table expression.
FIELD_TERMS = re.compile(r"CommonTable(Expression)?")
FILE_NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*\.(h|cc)")
CLASS = re.compile(r"^\s*(?:class|struct|enum class)\s+(?:[A-Z_]+(?:\([^)]*\))?\s+)?([A-Z]\w*)", re.MULTILINE)


def words(name):
    """The words of a file, folder or class name, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


def name_problems(path):
    problems = []
    for index, part in enumerate(path.parts[:-1]):
        banned = set(words(part)) & BANNED
        if banned and not (part == "common" and (index == 0 or path.parts[0] == "tests")):
            problems.append(f"{path}: folder name '{part}' says nothing: {', '.join(sorted(banned))}")
    if banned := set(words(path.stem)) & BANNED:
        problems.append(f"{path}: file name says nothing: {', '.join(sorted(banned))}")
    if not FILE_NAME.fullmatch(path.name):
        problems.append(f"{path}: expected a file name in snake_case")
    return problems


def class_problems(path, content):
    return [f"{path}: class name '{name}' says nothing: {', '.join(sorted(banned))}"
            for name in CLASS.findall(content)
            if (banned := set(words(FIELD_TERMS.sub("", name))) & BANNED)]


def header_problems(path, content):
    problems = []
    if not content.startswith("//"):
        problems.append(f"{path}: a header opens with a comment that says what it does for its caller")
    if "#pragma once" not in content:
        problems.append(f"{path}: no #pragma once")
    return problems


def room_problems(root, rooms):
    problems = []
    for room in sorted(rooms):
        readme = root / room / "README.md"
        if not readme.is_file():
            problems.append(f"{room}: a room with sources has a README.md of at most {README_LINES_MAX} lines")
        elif (lines := len(readme.read_text(encoding="utf-8").splitlines())) > README_LINES_MAX:
            problems.append(f"{room}/README.md: {lines} lines, at most {README_LINES_MAX}")
    return problems


def check(root):
    problems, rooms = [], set()
    for path in tree.sources(root):
        content = tree.text(root, path)
        problems += name_problems(path) + class_problems(path, content)
        if path.suffix == ".h":
            problems += header_problems(path, content)
        if path.parts[0] in ROOM_TOPS and len(path.parts) > 2:
            rooms.add(tree.room(path))
    return problems + room_problems(root, rooms)


if __name__ == "__main__":
    tree.run(check)
