package dev.carrel.core.seccomp;

import static java.util.Map.entry;

import dev.carrel.core.seccomp.CallTable.Gap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The numbers of aarch64, those of the kernel's generic table ({@code asm-generic/unistd.h}, later
 * {@code scripts/syscall.tbl}); from 424 on they are the same as x86-64's. The first gap is for
 * calls of single architectures, of which aarch64 has none; the second ends with calls that only
 * 32-bit processors have.
 */
final class Aarch64Calls {

    /** AUDIT_ARCH_AARCH64; programs for 32-bit ARM have another one, 0x40000028. */
    private static final int AUDIT_ARCH = 0xC00000B7;

    static final CallTable TABLE =
            new CallTable(
                    AUDIT_ARCH,
                    Map.ofEntries(
                            entry("lookup_dcookie", 18),
                            entry("ioctl", 29),
                            entry("umount2", 39),
                            entry("mount", 40),
                            entry("pivot_root", 41),
                            entry("nfsservctl", 42),
                            entry("chroot", 51),
                            entry("vhangup", 58),
                            entry("quotactl", 60),
                            entry("acct", 89),
                            entry("personality", 92),
                            entry("unshare", 97),
                            entry("kexec_load", 104),
                            entry("init_module", 105),
                            entry("delete_module", 106),
                            entry("clock_settime", 112),
                            entry("syslog", 116),
                            entry("reboot", 142),
                            entry("sethostname", 161),
                            entry("setdomainname", 162),
                            entry("settimeofday", 170),
                            entry("adjtimex", 171),
                            entry("socket", 198),
                            entry("socketpair", 199),
                            entry("add_key", 217),
                            entry("request_key", 218),
                            entry("keyctl", 219),
                            entry("clone", 220),
                            entry("swapon", 224),
                            entry("swapoff", 225),
                            entry("migrate_pages", 238),
                            entry("move_pages", 239),
                            entry("perf_event_open", 241),
                            entry("fanotify_init", 262),
                            entry("open_by_handle_at", 265),
                            entry("clock_adjtime", 266),
                            entry("setns", 268),
                            entry("kcmp", 272),
                            entry("finit_module", 273),
                            entry("bpf", 280),
                            entry("userfaultfd", 282),
                            entry("kexec_file_load", 294),
                            entry("io_uring_setup", 425),
                            entry("io_uring_enter", 426),
                            entry("io_uring_register", 427),
                            entry("open_tree", 428),
                            entry("move_mount", 429),
                            entry("fsopen", 430),
                            entry("fsconfig", 431),
                            entry("fsmount", 432),
                            entry("fspick", 433),
                            entry("clone3", 435),
                            entry("pidfd_getfd", 438),
                            entry("process_madvise", 440),
                            entry("mount_setattr", 442),
                            entry("quotactl_fd", 443),
                            entry("memfd_secret", 447),
                            entry("statmount", 457),
                            entry("listmount", 458),
                            entry("lsm_get_self_attr", 459),
                            entry("lsm_set_self_attr", 460),
                            entry("lsm_list_modules", 461),
                            entry("open_tree_attr", 467),
                            entry("listns", 470)),
                    Set.of(
                            "modify_ldt",
                            "uselib",
                            "iopl",
                            "ioperm",
                            "create_module",
                            "get_kernel_syms",
                            "query_module"),
                    List.of(new Gap(244, 259), new Gap(295, 423)));

    private Aarch64Calls() {}
}
