#!/usr/bin/env bash
# package_test.sh BUILD CONSUMER CMAKE
set -euo pipefail
build=$1 consumer=$2 cmake=$3
work=$build/package/test
rm -rf "$work"
"$cmake" --install "$build" --prefix "$work/prefix" > /dev/null
launcher=()
command -v ccache > /dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
"$cmake" -S "$consumer" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release "${launcher[@]}" > /dev/null
CCACHE_BASEDIR=$build CCACHE_NOHASHDIR=1 "$cmake" --build "$work/build" > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
diff <("$work/build/word_count") <(printf '(to,1)\n(be,1)\n(or,1)\n(not,1)\n(to,2)\n(be,2)\n') && echo "as expected"
