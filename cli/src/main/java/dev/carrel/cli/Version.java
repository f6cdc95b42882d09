package dev.carrel.cli;

/** Which version this is. */
final class Version {

    private Version() {}

    /** The version that the build wrote into the module. */
    static String text() {
        return Version.class
                .getModule()
                .getDescriptor()
                .rawVersion()
                .orElse("of an unfinished build");
    }
}
