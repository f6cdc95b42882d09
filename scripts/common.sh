# shellcheck shell=sh
# Sourced by the scripts that prepare a machine.

say() { echo "setup: $*"; }
die() {
    echo "setup: $*" >&2
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# apt-get with the rights it needs; apt's own chatter goes to a log that is shown when it fails.
apt_updated=
apt() {
    sudo=
    if [ "$(id -u)" != 0 ]; then
        sudo=sudo
        [ -t 0 ] || sudo='sudo -n'
        { have sudo && $sudo true; } 2>/dev/null || die "missing: $*. Install it, or run this as root or with sudo: apt-get install $*"
    fi
    have apt-get || die "missing: $*. Install what holds it on this system; only apt is known here"
    say "installing with apt-get: $* ($why)"
    log=$(mktemp)
    if [ -z "$apt_updated" ]; then
        $sudo apt-get -q -y update >"$log" 2>&1 || { cat "$log" >&2 && die "apt-get update failed"; }
        apt_updated=yes
    fi
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "$@" >"$log" 2>&1 </dev/null ||
        { cat "$log" >&2 && die "apt-get install $* failed"; }
    rm -f "$log"
}

# need WHY COMMAND PACKAGE [COMMAND PACKAGE]...: installs the packages whose command is not there.
need() {
    why=$1
    shift
    packages=
    while [ $# -gt 0 ]; do
        have "$1" || packages="$packages $2"
        shift 2
    done
    # shellcheck disable=SC2086 # a list of words
    [ -z "$packages" ] || apt $packages
}
