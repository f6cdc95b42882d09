package dev.carrel.core.session.denial;

import static dev.carrel.core.session.denial.Attack.perl;
import static dev.carrel.core.session.denial.Attack.shell;

import dev.carrel.core.session.denial.Attack.Possible;
import java.util.List;

/** Attempts on processes, sockets and the network of the host. */
final class HostAttacks {

    private static final String READ_ALL =
            "for my $f (glob('/proc/[0-9]*/%s')) { open(my $h, '<', $f) or next; local $/; my $c = <$h>; $ok ||= %s }";

    private static final String CONNECT =
            "use Socket; socket(my $s, %s, %s, 0) or die \"socket: $!\"; $ok = connect($s, %s);";

    private HostAttacks() {}

    static List<Attack> all() {
        return List.of(
                perl(
                        "find a variable of the caller",
                        READ_ALL.formatted(
                                "environ", "index($c, 'CARREL_TEST_' . 'CANARY=') >= 0")),
                perl(
                        "find a variable of the caller by a thread",
                        READ_ALL.formatted(
                                "task/*/environ", "index($c, 'CARREL_TEST_' . 'CANARY=') >= 0")),
                perl(
                        "find a variable of a command among arguments",
                        READ_ALL.formatted("cmdline", "index($c, $ENV{ARGUMENT_CANARY}) >= 0")),
                perl(
                        "find the options of the sandbox among arguments",
                        READ_ALL.formatted("cmdline", "$c =~ /--(dev-|ro-)?bind\\x00/")),
                perl(
                        "see a process of the host",
                        READ_ALL.formatted("cmdline", "$c =~ /carrel-v[i]ctim/")),
                shell("kill a process of the host", "kill -9 \"$VICTIM\"; sleep 0.1")
                        .judgedBy(victims -> !victims.alive()),
                shell(
                                "leave a process behind",
                                "setsid sleep \"$BACKGROUND\" >/dev/null 2>&1 & sleep 0.2")
                        .judgedBy(Victims::backgroundRuns),
                perl(
                        "connect to a server on the host's loopback",
                        CONNECT.formatted(
                                "AF_INET",
                                "SOCK_STREAM",
                                "sockaddr_in($ENV{TCP}, INADDR_LOOPBACK)")),
                perl(
                        "connect to an abstract socket of the host",
                        CONNECT.formatted(
                                "AF_UNIX",
                                "SOCK_STREAM",
                                "pack('S a*', AF_UNIX, \"\\0$ENV{ABSTRACT}\")")),
                perl(
                        "connect to a socket file of the host",
                        CONNECT.formatted("AF_UNIX", "SOCK_STREAM", "sockaddr_un($ENV{SOCKET})")),
                perl(
                        "get an answer by UDP from the host",
                        "use Socket; socket(my $s, AF_INET, SOCK_DGRAM, 0) or die; send($s, 'hello', 0, sockaddr_in($ENV{UDP}, INADDR_LOOPBACK)); my $r = ''; vec($r, fileno($s), 1) = 1; $ok = select($r, undef, undef, 0.5) > 0;"),
                perl(
                                "send to the world",
                                "use Socket; use Fcntl; socket(my $s, AF_INET, SOCK_STREAM, 0) or die; fcntl($s, F_SETFL, O_NONBLOCK); $ok = connect($s, sockaddr_in(80, inet_aton('192.0.2.1'))) || $! == 115;")
                        .possible(Possible.ON_SOME_MACHINES),
                perl(
                                "send a datagram to the world",
                                "use Socket; socket(my $s, AF_INET, SOCK_DGRAM, 0) or die; $ok = defined send($s, 'x', 0, sockaddr_in(53, inet_aton('192.0.2.53')));")
                        .possible(Possible.ON_SOME_MACHINES),
                shell("find a network interface", "grep : /proc/net/dev | grep -qv '^ *lo:'")
                        .possible(Possible.ON_SOME_MACHINES));
    }
}
