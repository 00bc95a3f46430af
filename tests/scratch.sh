# Sourced by golden.sh and docs.sh: a clean place and a clean environment for commands that say
# `kvsim`. Sets $src (the source tree), $kvsim (the program) and $scratch (a folder that vanishes).
# SPDX-License-Identifier: GPL-3.0-or-later

LC_ALL=C
export LC_ALL

src=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
kvsim=${KVSIM_PROGRAM:-${top_builddir:-$PWD}/kvsim}
if [ ! -x "$kvsim" ]; then
    echo "$0: there is no program $kvsim (set top_builddir, or KVSIM_PROGRAM)" >&2
    exit 99
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/kvsim-test.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM

# Commands run in $scratch/here, where the source tree's data is at hand by short relative names:
# so no message of the program holds a path of this machine.
mkdir "$scratch/bin" "$scratch/here"
ln -s "$kvsim" "$scratch/bin/kvsim"
ln -s "$src/models" "$scratch/here/models"
ln -s "$src/scenarios" "$scratch/here/scenarios"
ln -s "$src/tests/data" "$scratch/here/data"

# A finding of a sanitizer must not look like "does not fit", whose exit code is 1.
crash_code=99
with_code() {
    printf '%s' "${1:+$1:}exitcode=$crash_code"
}

# run_command COMMAND: runs it in the scratch folder with an environment of its own, at most two
# minutes. Standard input, output and errors are the caller's.
run_command() {
    (
        cd "$scratch/here" || exit $crash_code
        exec env -i PATH="$scratch/bin:$PATH" LC_ALL=C TZ=UTC KVSIM_MODELS=models \
            ASAN_OPTIONS="$(with_code "${ASAN_OPTIONS-}")" \
            LSAN_OPTIONS="$(with_code "${LSAN_OPTIONS-}")" \
            UBSAN_OPTIONS="$(with_code "${UBSAN_OPTIONS-}")" \
            timeout 120 sh -c "$1"
    )
}
