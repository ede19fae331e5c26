#!/usr/bin/env bash
# Runs the flights example in a folder of its own and checks its tables.
#   flights_test.sh THALWEG MODE PYTHON
set -euo pipefail
thalweg=$1 mode=$2 python=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$here/../../examples/flights/." "$folder"
rm -rf "$folder/output"
cd "$folder"
"$thalweg" sql -D "execution.runtime-mode=$mode" -f flights.sql > shown.txt
if grep -q $'\x1b' shown.txt; then
  echo "control codes in output that is not a terminal"
  exit 1
fi
"$python" "$here/check_flights.py" output/hourly shown.txt
