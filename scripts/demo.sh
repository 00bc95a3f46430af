#!/bin/sh
# From a clone to a first answer: installs what is missing, builds in build/, replays one launch.
# Ends with 0 when all that worked, whatever the answer is.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."

scenario=scenarios/8x-rtx-pro-6000-fraction-0.55.yaml

scripts/setup.sh

build() {
    { [ -x configure ] || ./bootstrap; } &&
        cd build && { [ -f Makefile ] || ../configure; } && make -j"$(nproc)"
}

mkdir -p build
echo "demo.sh: building in build/"
if ! (build) </dev/null >build/log 2>&1; then
    tail -n 60 build/log >&2
    echo "demo.sh: the build failed; all of its output is in build/log" >&2
    exit 1
fi

echo
echo "\$ build/kvsim $scenario"
status=0
build/kvsim "$scenario" || status=$?
case $status in
0) echo "(exit status 0: it fits)" ;;
1) echo "(exit status 1: it does not fit, and that is the answer wanted here)" ;;
3) echo "(exit status 3: the answer is uncertain)" ;;
*)
    echo "demo.sh: kvsim failed with exit status $status" >&2
    exit "$status"
    ;;
esac
