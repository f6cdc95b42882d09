package dev.carrel.cli;

/** Which version this is. */
final class Version {

    /** The version of the module, as the build wrote it into the jar. */
    static final String TEXT = "0.1.0-SNAPSHOT";

    private Version() {}
}
