"""Each third-party library is included by the rooms that own it and by no other; heavy ones in .cc files only."""
import re

import tree

HEAVY, LIGHT = True, False

# (pattern of the included name, heavy?, rooms that may). A room covers the folders below it.
OWNERS = [
    (r"grpcpp/|grpc/", HEAVY, ["bench/exchange", "common/rpc"]),
    (r"google/protobuf/|.*\.pb\.h$", HEAVY, ["common/rpc", "coordinator", "worker/host", "client"]),
    (r"rocksdb/", HEAVY, ["bench", "coordinator/store"]),
    (r"boost/asio|boost/asio/", HEAVY, ["worker/task", "worker/host", "coordinator/http", "client/embedded"]),
    (r"boost/beast", HEAVY, ["coordinator/http"]),
    (r"boost/describe|boost/mp11/", LIGHT, ["common/runtime_api", "client/api"]),
    (r"boost/container/|boost/unordered/", LIGHT, ["worker"]),
    (r"spdlog/|fmt/", HEAVY, ["common/log"]),
    (r"yaml-cpp/", HEAVY, ["common/config"]),
    (r"simdjson", HEAVY, ["common/formats", "common/functions", "examples/seeds"]),
    (r"re2/", HEAVY, ["common/functions", "common/expr", "worker/connectors"]),
    (r"nlohmann/", HEAVY, ["common/plan", "common/planner", "common/rpc", "coordinator", "client", "bench"]),
    (r"fast_float/", HEAVY, ["common/types", "common/functions", "common/formats"]),
    (r"double-conversion/", HEAVY, ["common/types", "common/functions", "common/formats"]),
    (r"date/", HEAVY, ["common/time", "common/types", "common/functions", "common/expr", "common/formats"]),
    (r"xxhash\.h", HEAVY, ["common/base", "common/columnar", "common/functions"]),
    (r"zlib\.h|bzlib\.h|lzma\.h|zstd\.h|lz4.*\.h", HEAVY, ["common/fs", "common/functions", "worker/exchange"]),
    (r"openssl/", HEAVY, ["common/functions", "common/process", "common/rpc", "client/remote"]),
    (r"editline/|histedit\.h", HEAVY, ["client/shell"]),
    (r"CLI/", HEAVY, ["client/cli", "bench"]),
    (r"jemalloc/", HEAVY, ["worker/host", "client/cli", "bench"]),
    (r"catch2/", LIGHT, ["tests"]),
    (r"thalweg/", LIGHT, ["examples", "bench", "tests"]),          # our own API, as its users include it
]
SYSTEM = re.compile(r"(sys|netinet|arpa|net|linux|asm|bits|ext|experimental)/")


def owner(name):
    return next((entry for entry in OWNERS if re.match(entry[0], name)), None)


def refusal(path, name):
    entry = owner(name)
    if entry is None:
        unknown = "/" in name and not SYSTEM.match(name)
        return "no room owns it; add it to OWNERS in tests/checks/third_parties.py" if unknown else None
    _, heavy, rooms = entry
    folder = "/".join(path.parts[:-1]) + "/"
    if not any(folder.startswith(room + "/") for room in rooms):
        return f"it belongs to {', '.join(rooms)}"
    if heavy and path.suffix == ".h":
        return "it is heavy: include it in a .cc file, behind a plain struct or a pimpl"
    return None


def catch_order(root, path):
    """Catch2 redefines our CHECK, so nothing of ours may follow it."""
    seen = False
    for line, bracket, name in tree.includes(root, path):
        if seen and bracket == '"' and tree.is_ours(name):
            return [f'{path}:{line}: "{name}" comes after Catch2, which redefines CHECK; include Catch2 last']
        seen = seen or name.startswith("catch2/")
    return []


def check(root):
    problems = []
    for path in tree.sources(root):
        for line, bracket, name in tree.includes(root, path):
            if bracket == '"' and tree.is_ours(name) and not name.endswith(".pb.h"):
                continue
            if reason := refusal(path, name):
                problems.append(f"{path}:{line}: may not include <{name}>: {reason}")
        problems += catch_order(root, path)
    return problems


if __name__ == "__main__":
    tree.run(check)
