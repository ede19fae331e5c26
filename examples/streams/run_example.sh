#!/usr/bin/env bash
# run_example.sh PROGRAM EXPECTED: runs a program and compares what it prints, lines sorted.
set -euo pipefail
diff <("$1" | LC_ALL=C sort) <(LC_ALL=C sort "$2") && echo "as expected"
