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
 * The calls that the filter is about, with the numbers of the kernel's own table ({@code
 * arch/x86/entry/syscalls/syscall_64.tbl}). A call that is not named here is allowed.
 *
 * <p>Not named on purpose: {@code ptrace} and {@code process_vm_*} (leak sanitizers, gdb, strace;
 * the pid namespace confines them), {@code landlock_*}, {@code seccomp}, {@code prctl} (a process
 * may confine itself further), {@code splice} and its kin (used everywhere), {@code
 * name_to_handle_at}, the older asynchronous I/O, memory policies.
 */
final class X8664Table {

    /** The architecture word that the kernel gives for 64-bit calls: AUDIT_ARCH_X86_64. */
    static final int AUDIT_ARCH = 0xC000003E;

    /**
     * The newest call that was judged: rseq_slice_yield of Linux 7.0. A newer kernel's calls answer
     * ENOSYS until somebody has looked at them, and so do x32's, which start at 0x40000000.
     */
    static final int NEWEST_KNOWN = 471;

    /** The first and the last number of the range that the kernel leaves unassigned. */
    static final int GAP_FIRST = 337;

    static final int GAP_LAST = 423;

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
    static final List<Rule> RULES =
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

    private X8664Table() {}

    /** Typing into the terminal that the caller shares, and loading line disciplines. */
    private static List<Rule> terminals() {
        return List.of(
                core(16, "ioctl", new OneOf(1, List.of(TIOCSTI, TIOCLINUX)), EPERM),
                audited(16, "ioctl", new OneOf(1, List.of(TIOCSETD)), EPERM));
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
                core(41, "socket", harmful, EAFNOSUPPORT),
                audited(41, "socket", new NoneOf(0, known), EAFNOSUPPORT),
                audited(41, "socket", notRoute, EAFNOSUPPORT),
                core(53, "socketpair", harmful, EAFNOSUPPORT),
                audited(53, "socketpair", new NoneOf(0, List.of(AF_UNIX)), EAFNOSUPPORT));
    }

    /**
     * A user namespace gives capabilities over kernel code that was not written for strangers; the
     * other kinds need capabilities that nothing inside has. clone3 keeps its flags behind a
     * pointer, where a filter cannot look: C libraries fall back to clone.
     */
    private static List<Rule> namespaces() {
        return List.of(
                core(56, "clone", new AnyBit(0, NAMESPACES), EPERM),
                core(272, "unshare", new AnyBit(0, NAMESPACES | NEW_TIME), EPERM),
                core(435, "clone3", ENOSYS),
                audited(308, "setns", EPERM));
    }

    /** gdb switches off address randomization; everything else weakens later programs. */
    private static List<Rule> personalities() {
        var usual = List.of(0, ADDR_NO_RANDOMIZE, PERSONALITY_QUERY);
        return List.of(audited(135, "personality", new NoneOf(0, usual), EPERM));
    }

    /** The new mount calls answer ENOSYS, so that a tool tries mount and gets its EPERM. */
    private static List<Rule> mounts() {
        return List.of(
                core(428, "open_tree", ENOSYS),
                core(429, "move_mount", ENOSYS),
                core(430, "fsopen", ENOSYS),
                core(431, "fsconfig", ENOSYS),
                core(432, "fsmount", ENOSYS),
                core(433, "fspick", ENOSYS),
                core(442, "mount_setattr", ENOSYS),
                core(467, "open_tree_attr", ENOSYS),
                audited(165, "mount", EPERM),
                audited(166, "umount2", EPERM),
                audited(155, "pivot_root", EPERM),
                audited(161, "chroot", EPERM));
    }

    /**
     * Large parts of the kernel with a record of holes. The session keyring is not part of any
     * namespace: the caller's keys would be readable. An io_uring makes sockets of any family
     * without a system call that a filter sees, so the core would leak without its three calls.
     */
    private static List<Rule> kernelSurface() {
        return List.of(
                core(248, "add_key", EPERM),
                core(249, "request_key", EPERM),
                core(250, "keyctl", EPERM),
                core(321, "bpf", EPERM),
                core(425, "io_uring_setup", ENOSYS),
                core(426, "io_uring_enter", ENOSYS),
                core(427, "io_uring_register", ENOSYS),
                audited(298, "perf_event_open", EPERM),
                audited(323, "userfaultfd", EPERM),
                audited(300, "fanotify_init", EPERM),
                audited(304, "open_by_handle_at", EPERM),
                audited(447, "memfd_secret", EPERM),
                audited(154, "modify_ldt", EPERM));
    }

    /** Reaching into other processes by ways that no debugger needs. */
    private static List<Rule> otherProcesses() {
        return List.of(
                audited(438, "pidfd_getfd", EPERM),
                audited(312, "kcmp", EPERM),
                audited(440, "process_madvise", EPERM),
                audited(256, "migrate_pages", EPERM),
                audited(279, "move_pages", EPERM));
    }

    /** What the host has mounted, which namespaces it runs, what secures it. */
    private static List<Rule> hostFacts() {
        return List.of(
                audited(457, "statmount", ENOSYS),
                audited(458, "listmount", ENOSYS),
                audited(459, "lsm_get_self_attr", ENOSYS),
                audited(460, "lsm_set_self_attr", ENOSYS),
                audited(461, "lsm_list_modules", ENOSYS),
                audited(470, "listns", ENOSYS));
    }

    /** Changing the machine. Capabilities guard these too; a second lock costs nothing. */
    private static List<Rule> machine() {
        return List.of(
                audited(103, "syslog", EPERM),
                audited(134, "uselib", EPERM),
                audited(153, "vhangup", EPERM),
                audited(159, "adjtimex", EPERM),
                audited(163, "acct", EPERM),
                audited(164, "settimeofday", EPERM),
                audited(167, "swapon", EPERM),
                audited(168, "swapoff", EPERM),
                audited(169, "reboot", EPERM),
                audited(170, "sethostname", EPERM),
                audited(171, "setdomainname", EPERM),
                audited(172, "iopl", EPERM),
                audited(173, "ioperm", EPERM),
                audited(174, "create_module", EPERM),
                audited(175, "init_module", EPERM),
                audited(176, "delete_module", EPERM),
                audited(177, "get_kernel_syms", EPERM),
                audited(178, "query_module", EPERM),
                audited(179, "quotactl", EPERM),
                audited(180, "nfsservctl", EPERM),
                audited(212, "lookup_dcookie", EPERM),
                audited(227, "clock_settime", EPERM),
                audited(246, "kexec_load", EPERM),
                audited(305, "clock_adjtime", EPERM),
                audited(313, "finit_module", EPERM),
                audited(320, "kexec_file_load", EPERM),
                audited(443, "quotactl_fd", EPERM));
    }
}
