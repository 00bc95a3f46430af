#!/bin/sh
# The lists of files that the build reads are those on disk: data in models/local.mk, sources in
# src/local.mk, programs in tests/local.mk.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 99

problems=0
problem() {
    echo "$*"
    problems=$((problems + 1))
}

sh models/update-lists.sh --check || problems=1

# names LIST PATTERN: the words of a Makefile that fit the pattern.
names() {
    sed 's/#.*//' "$1" | tr ' \t=' '\n\n\n' | grep -E "$2"
}

for file in $(find src -type f -name '*.[ch]' | sort); do
    names src/local.mk . | grep -qxF "$file" || problem "$file: not in src/local.mk"
done
for file in $(names src/local.mk '^src/.*\.[ch]$'); do
    [ -f "$file" ] || problem "$file: in src/local.mk, but not there"
done

for file in tests/unit/test_*.c tests/fuzz/fuzz_*.c tests/bench/bench_*.c; do
    [ -f "$file" ] || continue
    names tests/local.mk . | grep -qxF "${file%.c}" || problem "${file%.c}: not in tests/local.mk"
done
[ $problems -eq 0 ]
