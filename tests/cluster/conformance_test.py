"""The whole conformance corpus through a coordinator and two workers at parallelism 2: the same tables as in one process.

    conformance_test.py THALWEG [ARGUMENT OF thalweg test…]

Every query is a job of two processes, so this takes a quarter of an hour: no part of the usual tests (`./dev conform`).
"""
import pathlib
import subprocess
import sys

from cluster import Cluster

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "conformance"


def main():
    thalweg, *more = sys.argv[1:]
    folders = sorted(path for path in CORPUS.iterdir() if path.is_dir())
    known = [part for name in ("known_failures.txt", "known_failures_modes.txt") for part in ("--known-failures", CORPUS / name)]
    with Cluster(thalweg) as cluster:
        command = [thalweg, "test", *folders, "--parallelism", "2", "--quiet", *known, "--coordinator", cluster.address, *more]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
