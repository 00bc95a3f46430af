#!/bin/sh
# Runs one golden test, a sequence of blocks, and shows how the program's answers differ.
# usage: tests/golden.sh FILE.test         (make check does it; KVSIM_BLESS=1 rewrites the file, but
#                                           never puts an error where an answer was)
#
#   # a comment; it ends the block before it, and so does an empty line
#   $ kvsim run scenarios/x.yaml     a command for sh, run where scenarios, models and data are
#   < a line                         of standard input (empty by default)
#   > a line                         of expected standard output
#   ! a line                         of expected standard error
#   ? 1                              the exit code (0 by default)
#
# All blocks of a file run in one folder, so that one may read what another wrote.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

if [ $# -ne 1 ] || [ ! -r "$1" ]; then
    echo "usage: tests/golden.sh FILE.test" >&2
    exit 99
fi
test_file=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
. "$(dirname "$0")/scratch.sh"

name=${test_file#"$src/"}
expected=$scratch/expected
actual=$scratch/actual
stdin=$scratch/stdin
in=$scratch/in
out=$scratch/out
err=$scratch/err
: >"$expected"
: >"$actual"

# mark SIGN FILE: the file's lines, each marked. A last line that is not ended never matches.
mark() {
    sed "s/^/$1 /; s/^$1 \$/$1/" "$2"
    if [ -s "$2" ] && [ "$(tail -c 1 "$2" | wc -l)" -eq 0 ]; then
        printf '\n%% the last line is not ended\n'
    fi
}

# answer CODE: the block's expected or actual part in its one order.
answer() {
    mark '>' "$out"
    mark '!' "$err"
    [ "$1" = 0 ] || echo "? $1"
}

begin_block() {
    command=$1
    code=0
    : >"$in"
    : >"$stdin"
    : >"$out"
    : >"$err"
}

end_block() {
    [ -n "$command" ] || return 0
    { printf '$ %s\n' "$command"; cat "$in"; } | tee -a "$actual" >>"$expected"
    answer "$code" >>"$expected"
    answered=no
    [ ! -s "$out" ] || [ "$code" -ge 2 ] || answered=yes
    run_command "$command" <"$stdin" >"$out" 2>"$err"
    code=$?
    if [ "${KVSIM_BLESS-}" = 1 ] && [ $answered = yes ] && [ $code -ge 2 ]; then
        echo "% an error where an answer was: code $code" >>"$actual"
    fi
    if [ $code -eq $crash_code ] || [ $code -ge 124 ]; then
        echo "% ended by a signal, a sanitizer or the time limit: code $code" >>"$actual"
    fi
    answer $code >>"$actual"
    command=
    commands=$((commands + 1))
}

stray() {
    printf '%s\n' "$name:$number: $1: $line"
    exit 1
}

command=
commands=0
number=0
while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in
    '$ '*)
        end_block
        begin_block "${line#??}"
        continue
        ;;
    '' | '#'*)
        end_block
        printf '%s\n' "$line" | tee -a "$actual" >>"$expected"
        continue
        ;;
    esac
    [ -n "$command" ] || stray "this line belongs to no command"
    text=${line#?}
    text=${text# }
    case $line in
    '< '* | '<')
        printf '%s\n' "$line" >>"$in"
        printf '%s\n' "$text" >>"$stdin"
        ;;
    '> '* | '>') printf '%s\n' "$text" >>"$out" ;;
    '! '* | '!') printf '%s\n' "$text" >>"$err" ;;
    '? '*) code=$text ;;
    *) stray "a line begins with '# ', '\$ ', '< ', '> ', '! ' or '? '" ;;
    esac
done <"$test_file"
end_block

if [ $commands -eq 0 ]; then
    echo "$name: no command"
    exit 1
fi
if [ "${KVSIM_BLESS-}" = 1 ] && ! cmp -s "$test_file" "$actual"; then
    if grep -q '^% ' "$actual"; then
        grep -n '^% ' "$actual"
        echo "$name: not blessed"
        exit 1
    fi
    cat "$actual" >"$test_file" || exit 99
    echo "$name: blessed"
    exit 0
fi
diff -u --label "$name (expected)" --label "$name (actual)" "$expected" "$actual"
