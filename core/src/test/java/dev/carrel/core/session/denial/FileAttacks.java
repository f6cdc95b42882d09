package dev.carrel.core.session.denial;

import static dev.carrel.core.session.denial.Attack.perl;
import static dev.carrel.core.session.denial.Attack.shell;

import dev.carrel.core.session.denial.Attack.Possible;
import java.util.ArrayList;
import java.util.List;

/** Attempts on the host's files, and on memory by files. */
final class FileAttacks {

    private FileAttacks() {}

    static List<Attack> all() {
        List<Attack> attacks = new ArrayList<>();
        for (String place : List.of("/", "/dev", "/usr", "/etc", "/workspace", "/home")) {
            attacks.add(
                    shell(
                            "write below " + place,
                            "true >" + place + "/attack.$$ && rm " + place + "/attack.$$"));
        }
        attacks.addAll(
                List.of(
                        shell("read a file of the host", "grep -q secret \"$SECRET\""),
                        perl(
                                "read a file of the host through a process",
                                "for (glob('/proc/[0-9]*/root'), glob('/proc/[0-9]*/cwd')) { $ok ||= -e \"$_$ENV{SECRET}\" }"),
                        perl(
                                "find an open file of the launcher",
                                "for my $n (3 .. 255) { $ok ||= -l \"/proc/self/fd/$n\" }"),
                        perl(
                                "find open files of other processes",
                                "for (glob('/proc/[0-9]*/fd/*')) { my $to = readlink; $ok ||= $to =~ m{^/} && $to !~ m{^/(dev|proc)/} }"),
                        shell("see the state of all sessions", "[ -d \"$STATE\" ]"),
                        shell("find an account of the host", "getent passwd games >/dev/null"),
                        shell("read the password hashes", "grep -q : /etc/shadow")
                                .possible(Possible.AS_ROOT),
                        shell(
                                        "find files in the caller's home",
                                        "[ -n \"$(find \"$HOST_HOME\" -maxdepth 1 -type f)\" ]")
                                .possible(Possible.ON_SOME_MACHINES),
                        shell(
                                        "find sockets of services in /run",
                                        "[ -n \"$(ls -A /run | grep -v '^carrel')\" ]")
                                .possible(Possible.ON_SOME_MACHINES),
                        shell("change the host's checkout", "echo changed >>a.txt")
                                .judgedBy(Victims::originChanged),
                        perl(
                                        "plant an attribute that hides a directory's lower half",
                                        "my ($d, $n, $v) = ('directory', 'user.overlay.opaque', 'y'); mkdir $d; syscall(188, $d, $n, $v, 1, 0);")
                                .judgedBy(Victims::originOrLayerIsOpaque),
                        perl(
                                "fill the host's memory through /dev/shm",
                                "my $f = '/dev/shm/big'; open(my $h, '>', $f) or die; $ok = syscall(285, fileno($h), 0, 0, 300 << 20) == 0; unlink $f;")));
        return List.copyOf(attacks);
    }
}
