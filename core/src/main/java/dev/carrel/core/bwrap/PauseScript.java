package dev.carrel.core.bwrap;

/**
 * What the pause process runs.
 *
 * <p>Users are counted by a FIFO that each of them holds open. At end of file the pause first
 * renames its record away, so that nobody joins any more, and only then looks once more whether
 * somebody came; whoever opens the FIFO looks for the record afterwards. In the end it kills what
 * is left in the session's network namespace: a command whose user was killed at an unlucky moment
 * of its start may have survived, or may just be on its way in. Where the session shares the host's
 * network it goes by the token of the session, which stands in their mount tables; that is slower.
 */
public final class PauseScript {

    /**
     * Mounts that the host makes later must not appear inside, where they would be writable. Only
     * the first pause of a view can and must do it; a replacement enters a tree that is private
     * already.
     */
    private static final String MAKE_PRIVATE = "mount --make-rprivate / || exit 1\n";

    private static final String COUNT_USERS =
            """
            cd /proc/self/fd/9 || exit 1
            exec 4<>alive 3<alive 4>&-
            : > ready
            while :; do
              while read -r _ <&3; do :; done
              mv pause.json ending.json 2>/dev/null || break
              dd if=alive of=/dev/null bs=1 count=1 iflag=nonblock 2>/dev/null && break
              mv ending.json pause.json
            done
            """;

    /** The argument of a pause with a network of its own; any other one means the host's. */
    public static final String OWN_NETWORK = "own-network";

    private static final String SWEEP =
            """
            left() {
              if [ "$1" = own-network ]; then
                for d in /proc/[0-9]*; do
                  [ $d/ns/net -ef /proc/self/ns/net ] && echo ${d#/proc/}
                done
              else
                grep -lF " ${0%/pause}/bwrap " /proc/[0-9]*/mountinfo 2>/dev/null | tr -cd '0-9\\n'
              fi
            }
            i=0
            while [ $i -lt 200 ]; do
              i=$((i+1)); left=0
              for p in $(left "$1"); do
                [ $p = $$ ] || { kill -9 $p 2>/dev/null && left=1; }
              done
              [ $left = 0 ] && [ $i -gt 1 ] && break
              sleep 0.01
            done
            """;

    /**
     * A start that somebody was killed in the middle of must not stage the view when others have
     * gone on. Takes the number of the start, the file with the number that is valid, and the words
     * to run.
     */
    public static final String GUARD =
            """
            read -r valid <"$2" && [ "$valid" = "$1" ] || exit 1
            shift 2
            exec "$@"
            """;

    /** For the process that stages the view. */
    public static final String FIRST = MAKE_PRIVATE + COUNT_USERS + SWEEP;

    /** For a replacement that enters a view whose pause was killed. */
    public static final String REPLACEMENT = COUNT_USERS + SWEEP;

    private PauseScript() {}
}
