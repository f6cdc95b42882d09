package dev.carrel.core.seccomp;

import static java.util.Map.entry;

import dev.carrel.core.seccomp.CallTable.Gap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The numbers of x86-64, from the kernel's {@code arch/x86/entry/syscalls/syscall_64.tbl}. It has
 * every call of the rules. x32's numbers start at 0x40000000, above all that are known.
 */
final class X8664Calls {

    /** AUDIT_ARCH_X86_64. */
    private static final int AUDIT_ARCH = 0xC000003E;

    static final CallTable TABLE =
            new CallTable(
                    AUDIT_ARCH,
                    Map.ofEntries(
                            entry("ioctl", 16),
                            entry("socket", 41),
                            entry("socketpair", 53),
                            entry("clone", 56),
                            entry("syslog", 103),
                            entry("uselib", 134),
                            entry("personality", 135),
                            entry("vhangup", 153),
                            entry("modify_ldt", 154),
                            entry("pivot_root", 155),
                            entry("adjtimex", 159),
                            entry("chroot", 161),
                            entry("acct", 163),
                            entry("settimeofday", 164),
                            entry("mount", 165),
                            entry("umount2", 166),
                            entry("swapon", 167),
                            entry("swapoff", 168),
                            entry("reboot", 169),
                            entry("sethostname", 170),
                            entry("setdomainname", 171),
                            entry("iopl", 172),
                            entry("ioperm", 173),
                            entry("create_module", 174),
                            entry("init_module", 175),
                            entry("delete_module", 176),
                            entry("get_kernel_syms", 177),
                            entry("query_module", 178),
                            entry("quotactl", 179),
                            entry("nfsservctl", 180),
                            entry("lookup_dcookie", 212),
                            entry("clock_settime", 227),
                            entry("kexec_load", 246),
                            entry("add_key", 248),
                            entry("request_key", 249),
                            entry("keyctl", 250),
                            entry("migrate_pages", 256),
                            entry("unshare", 272),
                            entry("move_pages", 279),
                            entry("perf_event_open", 298),
                            entry("fanotify_init", 300),
                            entry("open_by_handle_at", 304),
                            entry("clock_adjtime", 305),
                            entry("setns", 308),
                            entry("kcmp", 312),
                            entry("finit_module", 313),
                            entry("kexec_file_load", 320),
                            entry("bpf", 321),
                            entry("userfaultfd", 323),
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
                    Set.of(),
                    List.of(new Gap(337, 423)));

    private X8664Calls() {}
}
