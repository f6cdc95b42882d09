package dev.carrel.core.seccomp;

import static dev.carrel.core.seccomp.Errno.EAFNOSUPPORT;
import static dev.carrel.core.seccomp.Errno.ENOSYS;
import static dev.carrel.core.seccomp.Errno.EPERM;
import static dev.carrel.core.seccomp.Rule.audited;
import static dev.carrel.core.seccomp.Rule.core;

import dev.carrel.core.seccomp.Condition.AnyBit;
import dev.carrel.core.seccomp.Condition.Both;
import dev.carrel.core.seccomp.Condition.NoneOf;
import dev.carrel.core.seccomp.Condition.OneOf;
import java.util.List;
import java.util.stream.Stream;

/**
 * The calls that the filter is about, by name: written once for all processors, each of which has
 * its numbers in a {@link CallTable}. A call that is not named here is allowed.
 *
 * <p>Not named on purpose: {@code ptrace} and {@code process_vm_*} (leak sanitizers, gdb, strace;
 * the pid namespace confines them), {@code landlock_*}, {@code seccomp}, {@code prctl} (a process
 * may confine itself further), {@code splice} and its kin (used everywhere), {@code
 * name_to_handle_at}, the older asynchronous I/O, memory policies.
 *
 * <p>The constants compared with are those of the kernel's generic headers, which x86-64 and
 * aarch64 both use, and both have the flags of {@code clone} in argument 0.
 */
final class Rules {

    /** Every CLONE_NEW* flag that clone takes; NEWTIME is part of the exit signal there. */
    private static final int NAMESPACES = 0x7E020000;

    private static final int NEW_TIME = 0x80;

    private static final int TIOCSTI = 0x5412;
    private static final int TIOCLINUX = 0x541C;
    private static final int TIOCSETD = 0x5423;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int AF_ALG = 38;
    private static final int AF_VSOCK = 40;
    private static final int NETLINK_ROUTE = 0;

    private static final int ADDR_NO_RANDOMIZE = 0x40000;
    private static final int PERSONALITY_QUERY = 0xFFFFFFFF;

    /**
     * All lines. The first that applies decides, so lines of one call stand in the order of
     * judgement. Calls with argument rules come first: the kernel runs the program for each of
     * them, while it remembers that a call is always allowed.
     */
    static final List<Rule> ALL =
            Stream.of(
                            terminals(),
                            sockets(),
                            namespaces(),
                            personalities(),
                            mounts(),
                            kernelSurface(),
                            otherProcesses(),
                            hostFacts(),
                            machine())
                    .flatMap(List::stream)
                    .toList();

    /**
     * Sockets that files or abstract names lead to, services of the host among them. In front of
     * {@link #ALL} where they are refused. An io_uring would make one unseen, but cannot be had.
     */
    private static final Rule NO_UNIX_SOCKETS =
            core("socket", new OneOf(0, List.of(AF_UNIX)), EAFNOSUPPORT);

    private Rules() {}

    static List<Rule> with(UnixSockets sockets) {
        return switch (sockets) {
            case ALLOWED -> ALL;
            case REFUSED -> Stream.concat(Stream.of(NO_UNIX_SOCKETS), ALL.stream()).toList();
        };
    }

    /** Typing into the terminal that the caller shares, and loading line disciplines. */
    private static List<Rule> terminals() {
        return List.of(
                core("ioctl", new OneOf(1, List.of(TIOCSTI, TIOCLINUX)), EPERM),
                audited("ioctl", new OneOf(1, List.of(TIOCSETD)), EPERM));
    }

    /**
     * AF_ALG turned readable files into writable page cache (CVE-2026-31431); AF_VSOCK reaches the
     * hypervisor past every network namespace. The others are code that no tool needs.
     */
    private static List<Rule> sockets() {
        var harmful = new OneOf(0, List.of(AF_ALG, AF_VSOCK));
        var known = List.of(AF_UNIX, AF_INET, AF_INET6, AF_NETLINK);
        var notRoute =
                new Both(new OneOf(0, List.of(AF_NETLINK)), new NoneOf(2, List.of(NETLINK_ROUTE)));
        return List.of(
                core("socket", harmful, EAFNOSUPPORT),
                audited("socket", new NoneOf(0, known), EAFNOSUPPORT),
                audited("socket", notRoute, EAFNOSUPPORT),
                core("socketpair", harmful, EAFNOSUPPORT),
                audited("socketpair", new NoneOf(0, List.of(AF_UNIX)), EAFNOSUPPORT));
    }

    /**
     * A user namespace gives capabilities over kernel code that was not written for strangers; the
     * other kinds need capabilities that nothing inside has. clone3 keeps its flags behind a
     * pointer, where a filter cannot look: C libraries fall back to clone.
     */
    private static List<Rule> namespaces() {
        return List.of(
                core("clone", new AnyBit(0, NAMESPACES), EPERM),
                core("unshare", new AnyBit(0, NAMESPACES | NEW_TIME), EPERM),
                core("clone3", ENOSYS),
                audited("setns", EPERM));
    }

    /** gdb switches off address randomization; everything else weakens later programs. */
    private static List<Rule> personalities() {
        var usual = List.of(0, ADDR_NO_RANDOMIZE, PERSONALITY_QUERY);
        return List.of(audited("personality", new NoneOf(0, usual), EPERM));
    }

    /** The new mount calls answer ENOSYS, so that a tool tries mount and gets its EPERM. */
    private static List<Rule> mounts() {
        return List.of(
                core("open_tree", ENOSYS),
                core("move_mount", ENOSYS),
                core("fsopen", ENOSYS),
                core("fsconfig", ENOSYS),
                core("fsmount", ENOSYS),
                core("fspick", ENOSYS),
                core("mount_setattr", ENOSYS),
                core("open_tree_attr", ENOSYS),
                audited("mount", EPERM),
                audited("umount2", EPERM),
                audited("pivot_root", EPERM),
                audited("chroot", EPERM));
    }

    /**
     * Large parts of the kernel with a record of holes. The session keyring is not part of any
     * namespace: the caller's keys would be readable. An io_uring makes sockets of any family
     * without a system call that a filter sees, so the core would leak without its three calls.
     */
    private static List<Rule> kernelSurface() {
        return List.of(
                core("add_key", EPERM),
                core("request_key", EPERM),
                core("keyctl", EPERM),
                core("bpf", EPERM),
                core("io_uring_setup", ENOSYS),
                core("io_uring_enter", ENOSYS),
                core("io_uring_register", ENOSYS),
                audited("perf_event_open", EPERM),
                audited("userfaultfd", EPERM),
                audited("fanotify_init", EPERM),
                audited("open_by_handle_at", EPERM),
                audited("memfd_secret", EPERM),
                audited("modify_ldt", EPERM));
    }

    /** Reaching into other processes by ways that no debugger needs. */
    private static List<Rule> otherProcesses() {
        return List.of(
                audited("pidfd_getfd", EPERM),
                audited("kcmp", EPERM),
                audited("process_madvise", EPERM),
                audited("migrate_pages", EPERM),
                audited("move_pages", EPERM));
    }

    /** What the host has mounted, which namespaces it runs, what secures it. */
    private static List<Rule> hostFacts() {
        return List.of(
                audited("statmount", ENOSYS),
                audited("listmount", ENOSYS),
                audited("lsm_get_self_attr", ENOSYS),
                audited("lsm_set_self_attr", ENOSYS),
                audited("lsm_list_modules", ENOSYS),
                audited("listns", ENOSYS));
    }

    /** Changing the machine. Capabilities guard these too; a second lock costs nothing. */
    private static List<Rule> machine() {
        return List.of(
                audited("syslog", EPERM),
                audited("uselib", EPERM),
                audited("vhangup", EPERM),
                audited("adjtimex", EPERM),
                audited("acct", EPERM),
                audited("settimeofday", EPERM),
                audited("swapon", EPERM),
                audited("swapoff", EPERM),
                audited("reboot", EPERM),
                audited("sethostname", EPERM),
                audited("setdomainname", EPERM),
                audited("iopl", EPERM),
                audited("ioperm", EPERM),
                audited("create_module", EPERM),
                audited("init_module", EPERM),
                audited("delete_module", EPERM),
                audited("get_kernel_syms", EPERM),
                audited("query_module", EPERM),
                audited("quotactl", EPERM),
                audited("nfsservctl", EPERM),
                audited("lookup_dcookie", EPERM),
                audited("clock_settime", EPERM),
                audited("kexec_load", EPERM),
                audited("clock_adjtime", EPERM),
                audited("finit_module", EPERM),
                audited("kexec_file_load", EPERM),
                audited("quotactl_fd", EPERM));
    }
}
