package dev.carrel.core.seccomp;

/**
 * A processor architecture, by the name that Java gives it. Only x86-64 has a table of system calls
 * so far; the others can be named, so that a refusal can say which one was met.
 *
 * @param name as in the system property {@code os.arch}; {@code amd64} for x86-64
 */
public record Architecture(String name) {

    /** The one with a table. */
    public static final Architecture X86_64 = new Architecture("amd64");

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
