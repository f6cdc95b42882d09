# shellcheck shell=sh
# Sourced by the launcher and by the build: find_java prints nothing and sets java_home to a Java 25 or newer.
# Only shell built-ins on the usual path: each process started here would be paid by every command.

# The feature release of the Java in directory $1, in java_release; empty where there is none.
java_release_of() {
    java_release=
    [ -x "$1/bin/java" ] || return 0
    if [ -r "$1/release" ]; then
        while IFS= read -r java_line || [ -n "$java_line" ]; do
            case $java_line in
            JAVA_VERSION=*)
                java_release=${java_line#JAVA_VERSION=\"}
                java_release=${java_release%%[!0-9]*}
                # A shell reads a file byte by byte.
                break
                ;;
            esac
        done <"$1/release"
    fi
    [ -n "$java_release" ] && return 0
    java_line=$("$1/bin/java" -Xlog:disable -version 2>&1) || return 0
    java_line=${java_line#*\"}
    java_release=${java_line%%[!0-9]*}
}

# Looks in JAVA_HOME, /usr/lib/jvm and PATH, in this order. $1 is a program that must be in its bin: java or javac.
find_java() {
    java_home=
    java_on_path=
    if java_line=$(command -v java); then
        java_on_path=$java_line
    fi
    for java_home in "${JAVA_HOME:-}" /usr/lib/jvm/* path; do
        if [ "$java_home" = path ]; then
            [ -n "$java_on_path" ] || continue
            java_home=$(readlink -f "$java_on_path") || continue
            java_home=${java_home%/bin/java}
        fi
        [ -x "${java_home:-/nonexistent}/bin/$1" ] || continue
        java_release_of "$java_home"
        [ "${java_release:-0}" -ge 25 ] && return 0
    done
    java_home=
    return 1
}
