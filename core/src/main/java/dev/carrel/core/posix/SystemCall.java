package dev.carrel.core.posix;

/** Calls by number ({@link Machine}), for those that not every C library wraps. */
final class SystemCall {

    static final LibcFunction FUNCTION = LibcFunction.named("syscall");

    private SystemCall() {}
}
