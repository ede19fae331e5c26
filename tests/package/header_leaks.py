"""Users of the C++ API compile headers of ours, of the standard library and of Boost.Describe, and of nobody else.

    header_leaks.py COMPILER SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys
import tempfile

STANDARD = ["bits/stdc++.h", "pthread.h", "unistd.h"]
OUTSIDE = ["boost/describe.hpp"]


def included(compiler, root, includes):
    """Every file that a source with these includes reads."""
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as source:
        source.write("".join(f"#include <{name}>\n" for name in includes))
        source.flush()
        command = [compiler, "-std=c++20", "-M", f"-I{root}", f"-I{root}/client/api", source.name]
        rule = subprocess.run(command, text=True, capture_output=True, check=True).stdout
    return {str(pathlib.Path(word).resolve()) for word in rule.replace("\\\n", " ").split()[2:]}


def main(compiler, root):
    headers = sorted(f"thalweg/{path.name}" for path in pathlib.Path(root, "client/api/thalweg").glob("*.h"))
    ours = str(pathlib.Path(root).resolve()) + "/"
    allowed = included(compiler, root, STANDARD) | included(compiler, root, OUTSIDE)
    leaks = sorted(path for path in included(compiler, root, headers) - allowed if not path.startswith(ours))
    for path in leaks:
        print(f"a header of the API includes {path}")
    print(f"{len(headers)} headers, {len(leaks)} leaks")
    return 1 if leaks or not headers else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
