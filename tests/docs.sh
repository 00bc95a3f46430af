#!/bin/sh
# Runs every command that the documents show: lines `$ kvsim ...` in the README's fences and in the
# manual pages. Each must end with 0 (fits), 1 (does not) or 3 (uncertain); where a line `# exit N`
# follows before the next command, or the command itself ends in it, with N.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
. "$(dirname "$0")/scratch.sh"
cd "$src" || exit 99

# Prints a line "FILE:LINE<tab>EXIT or -<tab>COMMAND" for each command in a document.
commands_of() {
    awk -v name="$1" -v roff="$2" '
        function finish() {
            if (command != "")
                printf "%s:%d\t%s\t%s\n", name, at, wanted, command
            command = ""
            wanted = "-"
        }
        function plain(text) {          # what mandoc would show
            gsub(/\\&/, "", text)
            gsub(/\\-/, "-", text)
            gsub(/\\\(dq/, "\"", text)
            gsub(/\\\(aq|\\\[aq\]/, "\047", text)
            gsub(/\\e/, "\\", text)
            return text
        }
        BEGIN { wanted = "-" }
        !roff && /^ *```/ { finish(); inside = !inside; next }
        !roff && !inside { next }
        roff {
            $0 = plain($0)
            if (/^\.Dl \$ kvsim /)
                sub(/^\.Dl /, "")
        }
        continued {
            sub(/^[ \t]+/, "")
            continued = sub(/\\$/, "")
            command = command $0
            next
        }
        /^ *\$ / {
            finish()
            if (!/^ *\$ kvsim( |$)/)
                next
            sub(/^ *\$ /, "")
            at = FNR
            continued = sub(/\\$/, "")
            command = $0
            if (match(command, /# exit [0-9]+ *$/))
                wanted = substr(command, RSTART + 7) + 0
            next
        }
        /^ *# exit [0-9]+ *$/ { wanted = $NF + 0 }
        END { finish() }
    ' "$1"
}

list=$scratch/list
: >"$list"
[ -f README.md ] || { echo "README.md is missing"; exit 1; }
commands_of README.md 0 >>"$list"
for page in man/*.[157]; do
    [ ! -f "$page" ] || commands_of "$page" 1 >>"$list"
done

failed=0
passed=0
tab=$(printf '\t')
while IFS="$tab" read -r at wanted command; do
    run_command "$command" </dev/null >"$scratch/out" 2>&1
    code=$?
    case $wanted:$code in
    -:0 | -:1 | -:3 | "$code:$code")
        passed=$((passed + 1))
        ;;
    *)
        failed=$((failed + 1))
        printf '%s\n' "$at: exit code $code: $command"
        sed 's/^/    /' "$scratch/out" | head -n 20
        ;;
    esac
done <"$list"

echo "$passed commands of the documents passed, $failed failed"
[ $passed -gt 0 ] && [ $failed -eq 0 ]
