"""What every check needs: the files of the tree, and a main that prints problems and fails if there are any."""
import os
import pathlib
import re
import sys

SKIPPED_FOLDERS = {".git", ".cache", "build", "__pycache__", "output"}
TOPS = {"common", "coordinator", "worker", "client", "proto", "tests", "bench", "examples"}
SOURCE_SUFFIXES = {".h", ".cc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def files(root):
    """Paths of all files below root, relative to it, sorted; built and fetched things left out."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
        found += [pathlib.Path(folder, name).relative_to(root) for name in sorted(names)]
    return found


def sources(root):
    return [path for path in files(root) if path.suffix in SOURCE_SUFFIXES]


def text(root, path):
    """The text of a file, empty if it is not text."""
    try:
        return pathlib.Path(root, path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def includes(root, path):
    """(line, bracket, name) of every include in a source file; bracket is `<` or `"`."""
    content = text(root, path)
    return [(content.count("\n", 0, match.start(1)) + 1, match[1], match[2]) for match in INCLUDE.finditer(content)]


def is_ours(name):
    """Whether an included name is a file of this repository: third parties live in folders of other names."""
    return "/" not in name or name.split("/")[0] in TOPS


def room(path):
    """`common/base` for common/base/ids.h; the folder itself for what lies higher; empty at the root."""
    return "/".join(path.parts[:-1][:2])


def run(check):
    """For `main`: runs check(root) on the tree given as the only argument, or on this one."""
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    problems = check(root)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "no problem")
    sys.exit(1 if problems else 0)
