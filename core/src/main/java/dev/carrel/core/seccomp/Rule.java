package dev.carrel.core.seccomp;

/**
 * One line of the table: a call that a sandboxed process has no business making.
 *
 * @param number of the call
 * @param name of the call in the kernel's table
 * @param when which arguments the line is about
 * @param denial what the call answers where the line is enforced
 * @param standing whether the line belongs to the core
 */
record Rule(int number, String name, Condition when, Errno denial, Standing standing) {

    /** Which modes deny the call. */
    enum Standing {
        /** Denied by default: no normal tool needs it, or every one has another way. */
        CORE,
        /** Denied when enforcing only; by default it is allowed and leaves an audit record. */
        AUDITED
    }

    Rule {
        if (number < 0 || number > X8664Table.NEWEST_KNOWN) {
            throw new IllegalArgumentException(name + " has an unknown number: " + number);
        }
    }

    static Rule core(int number, String name, Errno denial) {
        return core(number, name, new Condition.Always(), denial);
    }

    static Rule core(int number, String name, Condition when, Errno denial) {
        return new Rule(number, name, when, denial, Standing.CORE);
    }

    static Rule audited(int number, String name, Errno denial) {
        return audited(number, name, new Condition.Always(), denial);
    }

    static Rule audited(int number, String name, Condition when, Errno denial) {
        return new Rule(number, name, when, denial, Standing.AUDITED);
    }
}
