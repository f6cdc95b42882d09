package dev.carrel.core.files;

/**
 * The scripts, for a POSIX shell with GNU's coreutils, findutils and grep, and util-linux's flock.
 * Each finds its path in the variable {@code CARREL_PATH}, with every unusual byte escaped, so that
 * neither a locale nor the shell can change it.
 */
final class FileScripts {

    static final int NOT_FOUND = 60;
    static final int IS_DIRECTORY = 61;
    static final int NOT_REGULAR = 62;
    static final int CHANGED = 63;
    static final int INPUT_CUT = 64;
    static final int NOT_DIRECTORY = 65;
    static final int EXISTS = 66;
    static final int TOO_LARGE = 67;
    static final int READ_ONLY = 68;
    static final int BAD_PATTERN = 69;

    private FileScripts() {}

    /** The x keeps line ends at the end of a name, which the shell would drop. */
    private static final String PATH =
            """
            export LC_ALL=C
            p=$(printf '%bx' "$CARREL_PATH"); p=${p%x}
            """;

    private static final String REGULAR =
            """
            [ -d "$p" ] && exit 61
            [ -e "$p" ] || exit 60
            [ -f "$p" ] || exit 62
            """;

    private static final String DIRECTORY =
            """
            [ -e "$p" ] || exit 60
            [ -d "$p" ] || exit 65
            """;

    /** Opened without waiting: the file may have become a FIFO since it was looked at. */
    static final String READ_BYTES =
            PATH
                    + REGULAR
                    + """
                    stat -L -c %s -- "$p" || exit 1
                    exec dd if="$p" iflag=nonblock,skip_bytes,count_bytes,fullblock \
                        bs=64K skip="$CARREL_FIRST" count="$CARREL_COUNT" status=none
                    """;

    static final String READ_LINES =
            PATH
                    + REGULAR
                    + """
                    stat -L -c %s -- "$p" || exit 1
                    tail -n "+$CARREL_FIRST" -- "$p" | head -n "$CARREL_COUNT" | head -c "$CARREL_MOST"
                    """;

    /**
     * A link is followed, as a command would; the file is then exchanged whole. What stands there
     * must be what the caller saw: between the look and the exchange the directory is locked
     * against other writes of this kind.
     */
    static final String WRITE =
            PATH
                    + """
                    if [ -L "$p" ]; then
                        p=$(readlink -f -- "$p" && printf x) || exit 60
                        p=${p%?x}
                    fi
                    [ -d "$p" ] && exit 61
                    [ -e "$p" ] && ! [ -f "$p" ] && exit 62
                    d=${p%/*}
                    case $CARREL_EXPECTED in
                    anything | nothing) ;;
                    *) [ -f "$p" ] || exit 63 ;;
                    esac
                    mkdir -p -- "$d/" || exit 1
                    exec 9< "$d/" || exit 1
                    flock 9 || exit 1
                    case $CARREL_EXPECTED in
                    anything) ;;
                    nothing) [ -e "$p" ] && exit 66 ;;
                    *)
                        [ -f "$p" ] || exit 63
                        sum=$(sha256sum < "$p") || exit 1
                        [ "${sum%% *}" = "$CARREL_EXPECTED" ] || exit 63
                        ;;
                    esac
                    [ -e "$p" ] && ! [ -w "$p" ] && exit 68
                    t=$d/.carrel-write-$CARREL_SCRATCH
                    trap 'rm -f -- "$t"' EXIT
                    set -C
                    cat > "$t" || exit 1
                    [ "$(stat -c %s -- "$t")" = "$CARREL_LENGTH" ] || exit 64
                    if [ -e "$p" ]; then
                        chmod --reference="$p" -- "$t" || exit 1
                    fi
                    mv -fT -- "$t" "$p"
                    """;

    private static final String ENTRY = "-printf '%f\\0%y\\0%m\\0%s\\0%T@\\0%l\\0'\n";

    static final String STAT =
            PATH
                    + """
                    [ -e "$p" ] || [ -L "$p" ] || exit 60
                    exec find "$p" -maxdepth 0 \
                    """
                    + ENTRY;

    static final String LIST =
            PATH
                    + DIRECTORY
                    + """
                    exec find "${p%/}/" -ignore_readdir_race -mindepth 1 -maxdepth 1 \
                    """
                    + ENTRY;

    static final String FILES =
            PATH
                    + DIRECTORY
                    + """
                    find "${p%/}/" -ignore_readdir_race -mindepth 1 -name .git -prune \
                        -o ! -type d -printf '%P\\0' 2>/dev/null || echo incomplete >&2
                    """;

    /** The empty run finds out what is wrong with the pattern before any file can be. */
    static final String GREP =
            PATH
                    + """
                    [ -e "$p" ] || exit 60
                    printf '' | grep $CARREL_OPTIONS -e "$CARREL_PATTERN"
                    [ $? -gt 1 ] && exit 69
                    { grep -rHnIsZ $CARREL_OPTIONS --exclude-dir=.git --include="$CARREL_GLOB" \
                        -e "$CARREL_PATTERN" -- "$p"
                      [ $? -gt 1 ] && echo incomplete >&2
                    } | head -n "$CARREL_COUNT" | head -c "$CARREL_MOST"
                    """;

    static final String DELETE =
            PATH
                    + """
                    [ -e "$p" ] || [ -L "$p" ] || exit 60
                    if [ -d "$p" ] && ! [ -L "$p" ]; then
                        [ "$CARREL_TREE" = true ] || exit 61
                        exec rm -rf --one-file-system -- "$p"
                    fi
                    exec rm -f -- "$p"
                    """;

    static final String MAKE_DIRECTORIES = PATH + "exec mkdir -p -- \"$p\"\n";
}
