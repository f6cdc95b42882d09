package dev.carrel.core.seccomp;

/**
 * One line of the table: a call that a sandboxed process has no business making.
 *
 * @param call its name in the kernel's tables
 * @param when which arguments the line is about
 * @param denial what the call answers where the line is enforced
 * @param standing whether the line belongs to the core
 */
record Rule(String call, Condition when, Errno denial, Standing standing) {

    /** Which modes deny the call. */
    enum Standing {
        /** Denied by default: no normal tool needs it, or every one has another way. */
        CORE,
        /** Denied when enforcing only; by default it is allowed and leaves an audit record. */
        AUDITED
    }

    static Rule core(String call, Errno denial) {
        return core(call, new Condition.Always(), denial);
    }

    static Rule core(String call, Condition when, Errno denial) {
        return new Rule(call, when, denial, Standing.CORE);
    }

    static Rule audited(String call, Errno denial) {
        return audited(call, new Condition.Always(), denial);
    }

    static Rule audited(String call, Condition when, Errno denial) {
        return new Rule(call, when, denial, Standing.AUDITED);
    }
}
