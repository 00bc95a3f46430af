#!/bin/sh
# The whole process: median wall time and peak memory of `kvsim SCENARIO` against /bin/true, in turns.
# usage: tests/bench/process.sh [SCENARIO...]     (make bench does it; default: all scenarios)
# PAIRS=101 sets the number of pairs.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
LC_ALL=C
export LC_ALL

src=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${top_builddir:-$PWD}
pairs=${PAIRS:-101}

KVSIM_MODELS=$src/models
export KVSIM_MODELS
[ $# -gt 0 ] || set -- "$src"/scenarios/*.yaml

echo "whole process, median of $pairs runs, peak of resident memory; reference: /bin/true"
status=0
for scenario in "$@"; do
    printf '%s\n' "${scenario#"$src/"}"
    if line=$("$build/tests/bench/timeit" "$pairs" "$build/kvsim" "$scenario" -- /bin/true); then
        printf '%s\n' "$line"
        case $line in
        *'exit '[013]) ;;
        *) status=1 ;;
        esac
    else
        status=1
    fi
done
exit $status
