#!/bin/sh
# The shared library shows the functions of kvsim.h and nothing else, and the program's own files
# use nothing else of it.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
LC_ALL=C
export LC_ALL
src=${top_srcdir:-$(dirname "$0")/..}
build=${top_builddir:-.}

library=$build/.libs/libkvsim.so
if [ ! -f "$library" ] || ! command -v nm >/dev/null 2>&1; then
    echo "no shared library here, or no nm: skipped"
    exit 77
fi

declared=$(perl -e '
    require "$ARGV[0]/tests/scan.pl";
    my $text = without_directives(without_quotes(without_comments(contents("$ARGV[0]/src/kvsim.h"))));
    $text =~ s/\btypedef\b[^;{]*;//g;
    my %names = map { $_ => 1 } $text =~ /\b(kvsim_\w+)\s*\(/g;
    print "$_\n" for sort keys %names;' "$src") || exit 1
exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)

problems=0
problem() {
    echo "$*"
    problems=$((problems + 1))
}

for name in $declared; do
    echo "$exported" | grep -qx "$name" || problem "$name: in kvsim.h, but the library has it not"
done
for name in $exported; do
    echo "$declared" | grep -qx "$name" || problem "$name: the library shows it, kvsim.h does not"
done
# The program's objects may use each other, kvsim.h and the system.
own=$(nm --defined-only "$build"/src/cli/*.o | awk 'NF == 3 { print $3 }')
for name in $(nm -u "$build"/src/cli/*.o | awk '$1 == "U" { print $2 }' | grep '^ks_' | sort -u); do
    echo "$own" | grep -qx "$name" || problem "$name: src/cli uses an internal function"
done
[ $problems -eq 0 ]
