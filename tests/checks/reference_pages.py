"""The reference pages are what the program prints: reference_pages.py PROGRAM ROOT."""

import pathlib
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
stale = 0
for page in ("functions", "configuration"):
    printed = subprocess.run([program, "reference", page], capture_output=True, text=True, check=True).stdout
    path = root / "docs" / "reference" / f"{page}.md"
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    if printed != kept:
        lines = set(printed.splitlines()) ^ set(kept.splitlines())
        print(f"docs/reference/{page}.md is not what 'thalweg reference {page}' prints; {len(lines)} lines differ, such as:")
        print(*sorted(lines)[:3], sep="\n")
        stale += 1
    elif printed.count("\n") < 50:
        print(f"'thalweg reference {page}' prints next to nothing")
        stale += 1
sys.exit(1 if stale else 0)
