# shellcheck shell=sh
# Sourced by the scripts that need another suite of Debian than the machine's: apt with lists of packages of its own. The
# machine's sources are read for the mirror, never written.

# The URIs of Debian's main archive in this machine's own sources, in both formats, one a line.
debian_mirrors() {
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -r "$file" ] || sed -n 's/^ *deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\)  *\([^ ]*\) .*/\2 \3/p' "$file"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ ! -r "$file" ] || awk '
            function flush() { if (on && types ~ /deb( |$)/) { split(uris, u, " "); print u[1], suites }; on = 1; types = uris = suites = "" }
            BEGIN { on = 1 }
            /^[ \t]*$/ { flush(); next }
            tolower($1) == "types:" { $1 = ""; types = $0 }
            tolower($1) == "uris:" { $1 = ""; uris = $0 }
            tolower($1) == "suites:" { $1 = ""; suites = $0 }
            tolower($1) == "enabled:" && tolower($2) == "no" { on = 0 }
            END { flush() }' "$file"
    done
}

debian_mirror() {
    debian_mirrors | while read -r uri suites; do
        case $uri:$suites in
        cdrom:* | *security*) ;;
        *debian*) echo "$uri" && break ;;
        esac
    done
}

# private_apt FOLDER TYPE MIRROR SUITE: after it, apt_private is an apt-get that knows only this archive and keeps all it
# has in FOLDER. Signatures are verified as always.
private_apt() {
    apt_folder=$1
    mkdir -p "$apt_folder/lists/partial" "$apt_folder/cache/archives/partial"
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    signed=
    [ ! -r "$keyring" ] || signed="[signed-by=$keyring] "
    echo "$2 $signed$3 $4 main" >"$apt_folder/sources.list"
    apt_private update
}

apt_private() {
    apt-get -q -o "Dir::Etc::sourcelist=$apt_folder/sources.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::lists=$apt_folder/lists" -o "Dir::Cache=$apt_folder/cache" \
        -o "APT::Sandbox::User=$(id -un)" "$@"
}
