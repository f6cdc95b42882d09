package dev.carrel.core.repo;

/** What git records of a file besides its content. */
public enum FileMode {
    /** A regular file. */
    PLAIN("100644"),
    /** A regular file that its owner may execute. */
    EXECUTABLE("100755"),
    /** A symbolic link; its content is the text. */
    LINK("120000");

    private final String digits;

    FileMode(String digits) {
        this.digits = digits;
    }

    /** As trees show it. */
    public String digits() {
        return digits;
    }

    /** That of a regular file. */
    public static FileMode of(boolean executable) {
        return executable ? EXECUTABLE : PLAIN;
    }
}
