#!/bin/sh
# Installs what kvsim needs to be built on Debian and its kin, and nothing that is already there:
# a second run costs nothing and needs no network.
# usage: scripts/setup.sh [tests]      tests: also what scripts/test.sh and .ci/run need
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

packages="build-essential autoconf automake libtool pkg-config libyaml-dev libjansson-dev libgsl-dev libexpat1-dev"
case ${1-} in
'') ;;
tests) packages="$packages libcmocka-dev clang mandoc bash-completion" ;;
*)
    echo "usage: scripts/setup.sh [tests]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    echo "setup.sh: this is no Debian; what corresponds to these packages must be there:"
    echo "  $packages"
    exit 0
fi

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# missing PACKAGE...: those that are not installed.
missing() {
    for package in "$@"; do
        is_installed "$package" || printf '%s ' "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "setup.sh: not root, and no sudo; as root, run: $*" >&2
        return 1
    fi
}

updated=no
install_packages() {
    echo "setup.sh: installing: $*"
    log=$(mktemp)
    if [ $updated = no ]; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >"$log" 2>&1 ||
            echo "setup.sh: apt-get update failed; trying what is known" >&2
        updated=yes
    fi
    if ! as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@" </dev/null >>"$log" 2>&1; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        echo "setup.sh: could not install: $*" >&2
        exit 1
    fi
    rm -f "$log"
}

wanted=$(missing $packages)
[ -z "$wanted" ] || install_packages $wanted

# clang's sanitizers and libFuzzer are a package of their own, named after clang's major version.
if [ "${1-}" = tests ]; then
    major=$(clang -dumpversion | sed 's/\..*//')
    runtime=libclang-rt-$major-dev
    if ! is_installed "$runtime" &&
        [ ! -f "$(clang -print-runtime-dir)/libclang_rt.fuzzer-$(uname -m).a" ]; then
        # Before Debian 12 it was part of another one.
        apt-cache show "$runtime" >/dev/null 2>&1 || runtime=libclang-common-$major-dev
        install_packages "$runtime"
    fi
fi
