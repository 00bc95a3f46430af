#!/bin/sh
# Writes models/local.mk: the lists of data files, from what is on disk (automake knows no globs).
# usage: models/update-lists.sh [--check]
#   --check  changes nothing; shows what would change, and fails if anything would
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/.."

# files PLACE PATTERN...: the plain files below PLACE whose name fits a pattern.
files() {
    place=$1
    shift
    [ -d "$place" ] || return 0
    for pattern in "$@"; do
        find "$place" -type f -name "$pattern" ! -name '.*' ! -name '*~' ! -name '#*' \
            ! -name '*.orig' ! -name '*.rej'
    done | sort -u
}

# existing FILE...: those of the files that are there.
existing() {
    for file in "$@"; do
        [ ! -f "$file" ] || printf '%s\n' "$file"
    done
}

# list NAME: a Makefile variable of the names on standard input.
list() {
    awk -v name="$1" '
        /[^A-Za-z0-9_.,+@\/=-]/ {
            print "update-lists.sh: make cannot take this name: " $0 > "/dev/stderr"
            bad = 1
        }
        { line[++n] = $0 }
        END {
            printf "\n%s =", name
            for (i = 1; i <= n; i++)
                printf " \\\n\t%s", line[i]
            print ""
            exit bad
        }'
}

write_lists() {
    echo '# Written by models/update-lists.sh (make update-lists). Do not edit.'
    files models '*.yaml' | list kvsim_models
    files scenarios '*.yaml' | list kvsim_scenarios
    {
        existing README.md CONTRIBUTING.md NEWS.md
        files docs '*'
        files models '*.md'
        files scenarios '*.md'
    } | list kvsim_docs
    files man '*.[1-8]' | list man_pages
    files tests/golden '*.test' | list golden_tests
    files tests/data '*' | list test_data
    {
        files tests/unit '*.h'
        files tests/fuzz '*.h'
    } | list test_headers
    files tests/fuzz/corpus '*' | list fuzz_corpus
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
write_lists >"$new"

case ${1-} in
--check)
    if [ ! -f models/local.mk ]; then
        echo "models/local.mk is missing: run models/update-lists.sh"
        exit 1
    fi
    diff -u models/local.mk "$new" && exit 0
    echo "models/local.mk is out of date: run models/update-lists.sh"
    exit 1
    ;;
'')
    cmp -s models/local.mk "$new" || cat "$new" >models/local.mk
    ;;
*)
    echo "usage: models/update-lists.sh [--check]" >&2
    exit 2
    ;;
esac
