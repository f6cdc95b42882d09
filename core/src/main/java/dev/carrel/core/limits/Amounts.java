package dev.carrel.core.limits;

import dev.carrel.core.policy.ResourceLimits;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Limits in the kernel's numbers. */
final class Amounts {

    /** In microseconds; the kernel's own choice. */
    static final long CPU_PERIOD = 100_000;

    /** The kernel takes no less. */
    private static final long LEAST_QUOTA = 1_000;

    /** bubblewrap's monitor and the first process of the sandbox are none of the command's. */
    private static final int OWN_PROCESSES = 2;

    /** The largest page that kernels use, so that what is read back is what was written. */
    private static final long PAGE = 64 * 1024;

    private Amounts() {}

    static String memory(ResourceLimits limits) {
        return Long.toString(limits.memory().orElseThrow() / PAGE * PAGE);
    }

    static String pids(ResourceLimits limits) {
        return Integer.toString(limits.pids().orElseThrow() + OWN_PROCESSES);
    }

    /** Microseconds of processors in each period. */
    static long quota(ResourceLimits limits) {
        BigDecimal quota = limits.cpus().orElseThrow().multiply(BigDecimal.valueOf(CPU_PERIOD));
        return Math.max(LEAST_QUOTA, quota.setScale(0, RoundingMode.DOWN).longValue());
    }
}
