"""Who may include whom among our own rooms (docs/tour.md tells why).

`common` knows nobody, and inside it a folder knows those before it in LAYERS. The coordinator and the worker know
`common`, the client knows `common`; the embedded shell, the programs, and what makes a user's program one of them know all.
"""
import tree

# Lowest first: a folder of common may include itself and what stands before it.
LAYERS = ["base", "time", "log", "metrics", "config", "fs", "checkpoint", "types", "columnar", "functions", "expr",
          "runtime_api", "sql", "plan", "planner", "formats", "rpc", "process"]
PROCESSES = {"coordinator", "worker", "client"}
KNOWS_ALL = {"client/embedded", "client/cli", "client/program"}
KNOWS_ALL_TOPS = {"bench", "tests", "examples"}


def refusal(path, name):
    """Why the file at `path` may not include `name`, or None."""
    mine, theirs = tree.room(path), "/".join(name.split("/")[:2])
    top, their_top = path.parts[0], name.split("/")[0]
    if top in KNOWS_ALL_TOPS or mine in KNOWS_ALL:
        return None
    if top == "common":
        if their_top != "common":
            return "common knows no room outside common"
        layer, their_layer = mine.split("/")[1], theirs.split("/")[1]
        for unknown in {layer, their_layer} - set(LAYERS):
            return f"common/{unknown} has no place in LAYERS of tests/checks/include_arrows.py"
        if LAYERS.index(their_layer) > LAYERS.index(layer):
            return f"{mine} stands below {theirs}"
    elif their_top in PROCESSES | KNOWS_ALL_TOPS and their_top != top:
        return f"{top} knows common and itself only"
    return None


def check(root):
    problems = []
    for path in tree.sources(root):
        for line, bracket, name in tree.includes(root, path):
            if bracket != '"' or path.parts[0] == "proto" or not tree.is_ours(name):
                continue
            if "/" not in name:
                problems.append(f'{path}:{line}: include "{name}" from the root of the repository')
            elif reason := refusal(path, name):
                problems.append(f'{path}:{line}: may not include "{name}": {reason}')
    return problems


if __name__ == "__main__":
    tree.run(check)
