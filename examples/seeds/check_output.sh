#!/usr/bin/env bash
# check_output.sh [--sorted] [--edit SED] EXPECTED PROGRAM [ARGUMENTS]: runs the program and compares what it prints.
# --sorted compares the lines as a set, as lines of different prints have no order among each other.
# --edit changes the program's output first: texts and numbers that are drawn become `*`.
set -euo pipefail
order=cat
edit=
while [[ $1 == --* ]]; do
  case $1 in
    --sorted) order=sort; shift ;;
    --edit) edit=$2; shift 2 ;;
  esac
done
expected=$1; shift
diff <("$order" "$expected") <("$@" | sed -E "$edit" | "$order")
