#!/bin/sh
# Every option that `kvsim help` and `kvsim COMMAND --help` print, and every command, is in kvsim(1)
# and in the completion for bash.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
. "$(dirname "$0")/scratch.sh"
cd "$src" || exit 99

problems=0
problem() {
    echo "$*"
    problems=$((problems + 1))
}

# Commands are the files src/cli/cmd_NAME.c.
commands=
for file in src/cli/cmd_*.c; do
    name=${file#src/cli/cmd_}
    commands="$commands ${name%.c}"
done

help=$scratch/help
run_command "kvsim help" </dev/null >"$help" || problem "kvsim help: exit code $?"
for command in $commands; do
    run_command "kvsim $command --help" </dev/null >>"$help" ||
        problem "kvsim $command --help: exit code $?"
done

# An option is described on a line that begins with it: "  -o, --output FILE   ...".
options=$(sed -nE 's/^ *(-[A-Za-z]( [A-Z]+)?, *)?--([a-z][a-z0-9-]*).*/\3/p' "$help" | sort -u)
[ -n "$options" ] || problem "kvsim help describes no option"

page=man/kvsim.1
completion=completion/kvsim
for option in $options; do
    # mdoc writes --name as "Fl -name", "Fl \-name" or "Fl Fl name".
    grep -qE "Fl (\\\\?-|Fl )$option([^a-z0-9-]|\$)" $page || problem "--$option: not in $page"
    grep -qE -e "--$option([^a-z0-9-]|\$)" $completion || problem "--$option: not in $completion"
done
for command in $commands; do
    grep -qE "(Cm|Nm kvsim) $command([^a-z]|\$)" $page || problem "$command: not in $page"
    grep -qw -e "$command" $completion || problem "$command: not in $completion"
done

if command -v bash >/dev/null 2>&1; then
    bash -n $completion || problem "$completion: bash cannot read it"
fi
[ $problems -eq 0 ]
