#!/bin/sh
# Builds out of the tree and runs all tests, or those of KVSIM_TESTS.
# usage: [CC=clang] [KVSIM_CONFIGURE="--enable-werror ..."] [KVSIM_TESTS="tests/unit/test_num ..."] scripts/test.sh
# The last line is "N passed, N failed".
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."

CC=${CC:-gcc}
KVSIM_CONFIGURE=${KVSIM_CONFIGURE-}
dir=build-test-$(printf '%s' "${CC##*/}" | tr -c 'A-Za-z0-9._+-' '_')
log=$dir/log

scripts/setup.sh tests

build() {
    { [ -x configure ] || ./bootstrap; } && cd "$dir" &&
        # Several flags are several words.
        { [ -f Makefile ] || ../configure CC="$CC" $KVSIM_CONFIGURE; } && make -j"$(nproc)"
}

# Other flags than last time: begin anew.
mkdir -p "$dir"
if [ "$(cat "$dir/flags" 2>/dev/null || :)" != "$CC $KVSIM_CONFIGURE" ]; then
    rm -rf "$dir"
    mkdir "$dir"
    printf '%s\n' "$CC $KVSIM_CONFIGURE" >"$dir/flags"
fi

echo "test.sh: building in $dir (CC=$CC $KVSIM_CONFIGURE)"
if ! (build) </dev/null >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "test.sh: the build failed; all of its output is in $log" >&2
    echo "0 passed, 1 failed"
    exit 1
fi

results=$dir/test-suite.log
rm -f "$results"
status=0
make -C "$dir" -j"$(nproc)" check ${KVSIM_TESTS:+TESTS="$KVSIM_TESTS"} </dev/null >"$dir/check.log" 2>&1 || status=$?
if [ ! -f "$results" ]; then
    tail -n 60 "$dir/check.log" >&2
    echo "test.sh: the tests could not be built; all output is in $dir/check.log" >&2
    echo "0 passed, 1 failed"
    exit 1
fi
grep -E '^(PASS|FAIL|XPASS|XFAIL|SKIP|ERROR): ' "$dir/check.log" || :
if [ $status -ne 0 ]; then
    echo
    sed -n '/^\.\. contents/,$p' "$results"
fi

# count KIND...: how many results of these kinds automake counted.
count() {
    total=0
    for kind in "$@"; do
        n=$(sed -n "s/^# $kind: *//p" "$results" | head -n 1)
        total=$((total + ${n:-0}))
    done
    echo "$total"
}

failed=$(count FAIL XPASS ERROR)
[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "$(count PASS XFAIL) passed, $failed failed"
[ "$failed" -eq 0 ]
