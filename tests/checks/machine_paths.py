"""No file names a place of the machine it was written on."""
import re

import tree

# Folders that hold one machine's or one person's things; written so that this file does not find itself.
PLACES = re.compile(r"(?<![\w.}/-])/(?:home|root|Users|work|farm|workspace)/[\w.$-]")


def check(root):
    problems = []
    for path in tree.files(root):
        for number, line in enumerate(tree.text(root, path).splitlines(), start=1):
            if match := PLACES.search(line):
                problems.append(f"{path}:{number}: names a place of one machine: {line[match.start():][:60]}")
    return problems


if __name__ == "__main__":
    tree.run(check)
