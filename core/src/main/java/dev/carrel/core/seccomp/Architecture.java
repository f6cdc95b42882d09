package dev.carrel.core.seccomp;

/**
 * A processor architecture, by the name that Java gives it. Only those named here have a table of
 * system calls; the others can be made, so that a refusal can say which one was met.
 *
 * @param name as in the system property {@code os.arch}; {@code amd64} for x86-64, {@code aarch64}
 *     for 64-bit ARM
 */
public record Architecture(String name) {

    /** 64-bit x86. */
    public static final Architecture X86_64 = new Architecture("amd64");

    /** 64-bit ARM. Its filter was never loaded into a kernel yet, only interpreted. */
    public static final Architecture AARCH64 = new Architecture("aarch64");

    /** JVMs have called x86-64 both {@code amd64} and {@code x86_64}: they become one value. */
    public Architecture {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an architecture without a name");
        }
        if (name.equals("x86_64")) {
            name = "amd64";
        }
    }

    /** The architecture that this JVM runs on. */
    public static Architecture current() {
        return new Architecture(System.getProperty("os.arch", "unknown"));
    }
}
