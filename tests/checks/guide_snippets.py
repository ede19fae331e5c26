"""The code of docs/guide is that of the programs it names: a block after `<!-- FILE: NAME -->` equals the lines of FILE
between `// snippet: NAME` and `// end`, indentation aside. No block is without a name, but on pages that are checked whole
(examples/guide)."""
import pathlib
import re
import textwrap

import tree

CHECKED_WHOLE = {"tables-and-streams.md"}      # by examples/guide/check_snippets.py
BLOCK = re.compile(r"<!-- (\S+): (\S+) -->\n```cpp\n(.*?)^```", re.MULTILINE | re.DOTALL)


def snippet(text, name):
    found = re.search(rf"^ *// snippet: {re.escape(name)}\n(.*?)^ *// end$", text, re.MULTILINE | re.DOTALL)
    return textwrap.dedent(found.group(1)) if found else None


def check(root):
    problems = []
    blocks = 0
    for path in sorted(pathlib.Path(root, "docs/guide").glob("*.md")):
        named = BLOCK.findall(path.read_text())
        if path.name not in CHECKED_WHOLE and path.read_text().count("```cpp\n") != len(named):
            problems.append(f"{path.name}: a block of C++ does not say where it comes from")
        for file, name, code in named:
            blocks += 1
            source = pathlib.Path(root, file)
            real = snippet(source.read_text(), name) if source.exists() else None
            if real is None:
                problems.append(f"{path.name}: {file} has no snippet '{name}'")
            elif real != code:
                problems.append(f"{path.name}: the block '{name}' is not what {file} has")
    return problems if blocks else ["docs/guide names no snippet at all"]


if __name__ == "__main__":
    tree.run(check)
