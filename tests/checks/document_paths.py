"""Paths that documents name exist: those in back-ticks that begin with a folder of ours, and relative links."""
import pathlib
import re

import tree

TOPS = {"common", "coordinator", "worker", "client", "proto", "config", "deploy", "tests", "bench", "examples", "docs",
        "cmake", ".ci"}
QUOTED = re.compile(r"`([^`\s]+)`")
PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)+/?")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def exists(folder, name):
    name = name.rstrip("/")
    return any(folder.glob(name)) if "*" in name else (folder / name).exists()


def named_paths(content):
    """Paths from the root that a document names; a `:line` at their end is left out."""
    for token in QUOTED.findall(content):
        token = re.sub(r":\d+$", "", token)
        if PATH.fullmatch(token) and token.split("/")[0] in TOPS and "NNNN" not in token:
            yield token


def links(content):
    for target in LINK.findall(content):
        if not re.match(r"[a-z]+:|#", target):
            yield target.split("#")[0]


def check(root):
    problems = []
    for path in tree.files(root):
        if path.suffix != ".md":
            continue
        content = FENCE.sub("", tree.text(root, path))
        problems += [f"{path}: names `{name}`, which does not exist"
                     for name in named_paths(content) if not exists(pathlib.Path(root), name)]
        problems += [f"{path}: links to {target}, which does not exist"
                     for target in links(content) if not exists(pathlib.Path(root, path).parent, target)]
    return problems


if __name__ == "__main__":
    tree.run(check)
