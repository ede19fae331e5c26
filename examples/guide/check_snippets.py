#!/usr/bin/env python3
"""check_snippets.py PAGE PROGRAM: every C++ snippet of the page stands in the program, line by line, in one piece."""
import re
import sys


def squeezed(text):
    """Lines without indentation and without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def contains(lines, part):
    return any(lines[i:i + len(part)] == part for i in range(len(lines) - len(part) + 1))


def main(page_path, program_path):
    page = open(page_path, encoding="utf-8").read()
    program = squeezed(open(program_path, encoding="utf-8").read())
    snippets = re.findall(r"```cpp\n(.*?)```", page, flags=re.S)
    missing = [snippet for snippet in snippets if not contains(program, squeezed(snippet))]
    for snippet in missing:
        print(f"{page_path}: this snippet is not in {program_path}:\n{snippet}")
    if not snippets:
        print(f"{page_path}: no snippets")
    return 1 if missing or not snippets else 0


sys.exit(main(*sys.argv[1:]))
