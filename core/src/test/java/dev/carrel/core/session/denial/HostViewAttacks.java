package dev.carrel.core.session.denial;

import static dev.carrel.core.session.denial.Attack.perl;
import static dev.carrel.core.session.denial.Attack.shell;

import dev.carrel.core.session.denial.Attack.Possible;
import java.util.List;

/**
 * Attempts of what sees the whole host. The host's {@code /tmp} may be at {@code /tmp/host}, so
 * each path is tried in both places.
 */
final class HostViewAttacks {

    /** Where a path of the host is seen. */
    private static final String SEEN =
            "sub seen { my ($p) = @_; (my $q = $p) =~ s{^/tmp/}{/tmp/host/}; return -e $q ? $q : $p } ";

    private static final String READ =
            SEEN
                    + "sub holds { open(my $h, '<', $_[0]) or return 0; local $/; return index(<$h>, 'the secret of') >= 0 } ";

    private static final String OF_VICTIM =
            "if (open(my $h, '<', \"/proc/$ENV{VICTIM}/%s\")) { $ok = read($h, my $c, 1) }";

    private static final String CONNECT =
            SEEN
                    + "use Socket; if (socket(my $s, AF_UNIX, %s, 0)) { $ok = connect($s, sockaddr_un(seen($ENV{SOCKET}))) }";

    private HostViewAttacks() {}

    static List<Attack> all() {
        return java.util.stream.Stream.of(files(), secrets(), processes(), services())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Attack> files() {
        return List.of(
                perl(
                        "write to a directory of the root, whichever",
                        "for (glob('/*')) { next if -l || !-d || m{^/(tmp|dev|proc)$}; my $f = \"$_/attack.$$\"; if (open(my $h, '>', $f)) { close $h; unlink $f; $ok = 1 } }"),
                perl(
                        "write where everybody on the host may",
                        SEEN
                                + "my $f = seen($ENV{OPEN}) . \"/attack.$$\"; if (open(my $h, '>', $f)) { close $h; unlink $f; $ok = 1 }"),
                perl(
                        "change the mode of a directory of the host",
                        SEEN + "$ok = chmod(0777, seen($ENV{OPEN}));"),
                perl(
                        "make a link in a directory of the host",
                        SEEN
                                + "my $f = seen($ENV{OPEN}) . \"/link.$$\"; $ok = symlink('x', $f); unlink $f;"),
                perl(
                        "write to a pipe that a program of the host reads",
                        SEEN
                                + "use Fcntl; $ok = sysopen(my $h, seen(\"$ENV{SOCKET}.pipe\"), O_WRONLY | O_NONBLOCK);"),
                perl(
                        "make a socket in a directory of the host",
                        SEEN
                                + "use Socket; my $f = seen($ENV{OPEN}) . \"/socket.$$\"; if (socket(my $s, AF_UNIX, SOCK_STREAM, 0)) { $ok = bind($s, sockaddr_un($f)); unlink $f }"),
                shell(
                                "write to a control group",
                                "( for f in $(find /sys/fs/cgroup -maxdepth 3 -name cgroup.procs); do true >>$f && exit 0; done; exit 1 )")
                        .possible(Possible.ON_SOME_MACHINES));
    }

    private static List<Attack> secrets() {
        return List.of(
                perl(
                        "read any secret of a home",
                        READ
                                + "for (split / /, $ENV{SECRETS}) { $ok ||= holds(seen(\"$ENV{HOME_OF_HOST}/$_\")) }"),
                perl(
                        "read what a hidden link leads to",
                        READ + "$ok = holds(seen(\"$ENV{KEYS}/key\"));"),
                perl(
                        "read a secret by a link of its own",
                        READ
                                + "my $l = \"link.$$\"; symlink(seen(\"$ENV{HOME_OF_HOST}/.netrc\"), $l); $ok = holds($l); unlink $l;"),
                shell(
                        "find a secret in all of a home",
                        "h=/tmp/host${HOME_OF_HOST#/tmp}; [ -d $h ] || h=$HOME_OF_HOST; grep -rqs 'the secret of' $h"),
                shell(
                        "list the sessions, its own among them",
                        "s=/tmp/host${STATE#/tmp}; [ -e $s ] || s=$STATE; [ -n \"$(ls -A $s)\" ]"),
                shell(
                        "read the files of sessions",
                        "s=/tmp/host${STATE#/tmp}; [ -e $s ] || s=$STATE; ls -d $s/sessions/*/session.json $s/sessions/*/repos >/dev/null"));
    }

    private static List<Attack> processes() {
        return List.of(
                perl(
                                "signal a process of the host by its directory",
                                "sysopen(my $d, \"/proc/$ENV{VICTIM}\", 0200000); syscall(424, fileno($d), 9, 0, 0) if $d; select(undef, undef, undef, 0.1);")
                        .judgedBy(victims -> !victims.alive()),
                perl(
                                "signal a process of the host by a descriptor of it",
                                "my $d = syscall(434, $ENV{VICTIM} + 0, 0); syscall(424, $d, 9, 0, 0) if $d >= 0; select(undef, undef, undef, 0.1);")
                        .judgedBy(victims -> !victims.alive()),
                perl("read variables of a process of the host", OF_VICTIM.formatted("environ"))
                        .possible(Possible.AS_ROOT),
                perl("read the memory map of a process of the host", OF_VICTIM.formatted("maps"))
                        .possible(Possible.AS_ROOT),
                perl(
                                "go to the root of a process of the host",
                                "$ok = chdir(\"/proc/$ENV{VICTIM}/root/\");")
                        .possible(Possible.AS_ROOT),
                perl(
                                "go through the open files of a process of the host",
                                "for (glob(\"/proc/$ENV{VICTIM}/fd/*\")) { $ok ||= defined readlink || open(my $h, '<', $_) }")
                        .possible(Possible.AS_ROOT),
                perl(
                                "open the memory of a process of the host",
                                "$ok = open(my $h, '+<', \"/proc/$ENV{VICTIM}/mem\");")
                        .possible(Possible.AS_ROOT),
                perl(
                                "trace a process of the host",
                                "$ok = syscall(101, 16, $ENV{VICTIM} + 0, 0, 0) == 0; syscall(101, 17, $ENV{VICTIM} + 0, 0, 0) if $ok;")
                        .possible(Possible.AS_ROOT),
                perl(
                                "read the memory of a process of the host",
                                "my $b = \"\\0\" x 8; my $p = pack('QQ', unpack('Q', pack('P', $b)), 8); my $r = pack('QQ', 0x1000, 8); $ok = syscall(310, $ENV{VICTIM} + 0, $p, 1, $r, 1, 0) >= 0 || $! == 14;")
                        .possible(Possible.AS_ROOT),
                perl(
                                "enter a namespace of a process of the host",
                                "$ok = open(my $n, '<', \"/proc/$ENV{VICTIM}/ns/net\");")
                        .possible(Possible.AS_ROOT),
                perl(
                                "make a process of the host the first to be killed",
                                "$ok = open(my $h, '>', \"/proc/$ENV{VICTIM}/oom_score_adj\");")
                        .possible(Possible.AS_ROOT));
    }

    private static List<Attack> services() {
        return List.of(
                perl(
                        "make a Unix socket",
                        "use Socket; $ok = socket(my $s, AF_UNIX, SOCK_STREAM, 0);"),
                perl(
                        "make a Unix socket with bits that the kernel ignores",
                        "$ok = syscall(41, 0x100000001, 1, 0) >= 0;"),
                perl("connect to a service where it listens", CONNECT.formatted("SOCK_STREAM")),
                perl(
                        "connect to an abstract socket of the host, or be refused any socket",
                        "use Socket; if (socket(my $s, AF_UNIX, SOCK_STREAM, 0)) { $ok = connect($s, pack('S a*', AF_UNIX, \"\\0$ENV{ABSTRACT}\")) }"),
                perl(
                                "find a socket in /run",
                                "for (split /\\n/, `find /run -type s 2>/dev/null`) { $ok = 1 }")
                        .possible(Possible.ON_SOME_MACHINES),
                perl("find the socket of a service", SEEN + "$ok = -S seen($ENV{SOCKET});"));
    }

    /** What the filter is for, where there is none: the covers alone are left. */
    static List<Attack> withoutFilter() {
        return services().stream().filter(attack -> !attack.name().startsWith("make")).toList();
    }
}
