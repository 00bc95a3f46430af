#!/bin/sh
# Every code of src/base/codes.h is explained in kvsim(1) and provoked by a test.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 99

codes=$(sed -n 's/^ *X(\([A-Z][0-9][0-9]*\), *".*/\1/p' src/base/codes.h)
if [ -z "$codes" ]; then
    echo "src/base/codes.h: no line X(CODE, \"meaning\")"
    exit 1
fi

problems=0
problem() {
    echo "$*"
    problems=$((problems + 1))
}

for code in $(echo "$codes" | sort | uniq -d); do
    problem "$code: there twice in src/base/codes.h"
done
for code in $codes; do
    grep -qw "$code" man/kvsim.1 || problem "$code: not in man/kvsim.1"
    found=no
    for file in tests/golden/*.test tests/unit/*.c; do
        if [ -f "$file" ] && grep -qE "(^|[^A-Za-z0-9])(KS_)?$code([^A-Za-z0-9]|\$)" "$file"; then
            found=yes
            break
        fi
    done
    [ $found = yes ] || problem "$code: no test provokes it (tests/golden/*.test, tests/unit/*.c)"
done

# The manual page must not list codes that are gone.
if [ -f man/kvsim.1 ]; then
    for code in $(grep -ow '[BYSUFEMLCXN][0-9][0-9][0-9]' man/kvsim.1 | sort -u); do
        echo "$codes" | grep -qx "$code" || problem "$code: in man/kvsim.1 but not in src/base/codes.h"
    done
fi
[ $problems -eq 0 ]
