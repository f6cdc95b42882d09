package dev.carrel.core.session.denial;

import static dev.carrel.core.session.denial.Attack.perl;
import static dev.carrel.core.session.denial.Attack.shell;

import dev.carrel.core.session.denial.Attack.Possible;
import java.util.List;

/** Attempts on capabilities, namespaces, mounts, system calls and devices. */
final class KernelAttacks {

    /** Opens a pseudo terminal, makes it its own and types into it by the given ioctl number. */
    private static final String TYPE_INTO_TERMINAL =
            """
            use Fcntl;
            sysopen(my $outer, "/dev/ptmx", O_RDWR | O_NOCTTY) or die "no ptmx: $!";
            my $zero = pack("i", 0); ioctl($outer, 0x40045431, $zero) or die "unlock: $!";
            my $number = pack("i", 0); ioctl($outer, 0x80045430, $number) or die "number: $!";
            my $child = fork;
            if (!$child) {
                setsid_now();
                sysopen(my $inner, "/dev/pts/" . unpack("i", $number), O_RDWR) or exit 3;
                my $letter = "x";
                my $answer = syscall(16, fileno($inner), %s, $letter);
                # The filter answers EPERM; a kernel that has this switched off answers EIO.
                exit($answer == 0 || $! == 5 ? 1 : 0);
            }
            waitpid($child, 0);
            die "terminal attempt broke down" if ($? >> 8) > 1;
            $ok = ($? >> 8) == 1;
            sub setsid_now { syscall(112) }
            """;

    private KernelAttacks() {}

    static List<Attack> all() {
        return List.of(
                shell(
                        "keep capabilities",
                        "grep -Eq '^Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]' /proc/self/status"),
                shell("run without a filter", "grep -q '^Seccomp:.0' /proc/self/status"),
                shell("make a user namespace", "unshare -U true"),
                perl("make a mount namespace", "$ok = syscall(272, 0x20000) == 0;"),
                perl(
                        "enter its own mount namespace again",
                        "open(my $n, '<', '/proc/self/ns/mnt') or die; $ok = syscall(308, fileno($n), 0) == 0;"),
                mount("mount a tmpfs", "none", "/tmp", "tmpfs", 0),
                mount("bind a directory", "/usr", "/tmp", "", 4096),
                mount("make a mount writable again", "", "/usr", "", 4096 | 32),
                perl(
                        "uncover what lies below /tmp",
                        "my $at = '/tmp'; $ok = syscall(166, $at, 2) == 0;"),
                perl("change the root", "$ok = chroot('/tmp');"),
                perl(
                        "open a file system by the new calls",
                        "my $type = 'tmpfs'; $ok = syscall(430, $type, 0) >= 0;"),
                perl(
                        "take a copy of a mount",
                        "my $at = '/usr'; $ok = syscall(428, -100, $at, 1) >= 0;"),
                perl(
                                "take a copy of a mount by the newest call",
                                "my $at = '/usr'; $ok = syscall(467, -100, $at, 1, 0, 0) >= 0;")
                        .possible(Possible.ON_SOME_MACHINES),
                perl(
                        "exchange the root for another mount",
                        "my $at = '.'; chdir '/dev/shm' or die; $ok = syscall(155, $at, $at) == 0;"),
                perl("read the keyring of the session", "$ok = syscall(250, 0, -3, 0) >= 0;"),
                perl(
                                "load a program into the kernel",
                                "my $attr = pack('L4', 2, 4, 4, 1) . (\"\\0\" x 112); $ok = syscall(321, 0, $attr, 128) >= 0;")
                        .possible(Possible.AS_ROOT),
                perl("set up an io_uring", "my $p = \"\\0\" x 120; $ok = syscall(425, 1, $p) >= 0;")
                        .possible(Possible.ON_SOME_MACHINES),
                family("reach the hypervisor by AF_VSOCK", 40, 1)
                        .possible(Possible.ON_SOME_MACHINES),
                family("use the kernel's ciphers by AF_ALG", 38, 5)
                        .possible(Possible.ON_SOME_MACHINES),
                family("listen to packets by AF_PACKET", 17, 3).possible(Possible.AS_ROOT),
                perl("type into its terminal", TYPE_INTO_TERMINAL.formatted("0x5412")),
                perl(
                        "type into its terminal with a bit that libc ignores",
                        TYPE_INTO_TERMINAL.formatted("0x100005412")),
                shell("make a 32-bit call", "./calls32").possible(Possible.ON_SOME_MACHINES),
                shell("make a device", "mknod /tmp/disk.$$ b 7 200 && rm /tmp/disk.$$")
                        .possible(Possible.AS_ROOT),
                shell("plant a whiteout in the workspace", "mknod ./whiteout c 0 0"),
                shell("see the machine's devices and drivers in /sys", "[ -n \"$(ls -A /sys)\" ]"),
                shell(
                                "write core_pattern back to itself",
                                "v=$(cat /proc/sys/kernel/core_pattern) && printf %s \"$v\" >/proc/sys/kernel/core_pattern")
                        .possible(Possible.AS_ROOT),
                shell("open sysrq-trigger", "true >>/proc/sysrq-trigger")
                        .possible(Possible.ON_SOME_MACHINES),
                perl(
                                "set the host's name to itself",
                                "open(my $h, '<', '/proc/sys/kernel/hostname'); chomp(my $name = <$h>); $ok = syscall(170, $name, length $name) == 0;")
                        .possible(Possible.AS_ROOT));
    }

    /** What only the strict mode denies. */
    static List<Attack> underEnforce() {
        return List.of(
                perl(
                        "turn address randomisation and more off by personality",
                        "$ok = syscall(135, 8) >= 0;"));
    }

    private static Attack mount(String name, String source, String target, String type, int flags) {
        return perl(
                name,
                "my ($s, $t, $f) = ('%s', '%s', '%s'); $ok = syscall(165, $s, $t, $f, %d, 0) == 0;"
                        .formatted(source, target, type, flags));
    }

    private static Attack family(String name, int number, int type) {
        return perl(name, "$ok = syscall(41, %d, %d, 0) >= 0;".formatted(number, type));
    }
}
