package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A tool that somebody unpacked anywhere below the home directory, recognised by what lies beside
 * its {@code bin}. Settings that can hold passwords (Maven's conf/settings.xml, Gradle's init.d)
 * are not among the shown parts.
 *
 * @param mark something that only this kind of tool has, relative to its folder
 * @param shown the parts that are shown, relative to its folder
 */
record SdkShape(String mark, List<String> shown) {

    private static final List<SdkShape> ALL =
            List.of(
                    new SdkShape(
                            "lib/modules",
                            List.of("bin", "conf", "include", "jmods", "legal", "lib", "release")),
                    new SdkShape(
                            "bin/m2.conf",
                            List.of("bin", "boot", "conf/logging", "conf/toolchains.xml", "lib")),
                    new SdkShape("lib/node_modules", List.of("bin", "include", "lib", "share")),
                    new SdkShape(
                            "pkg/tool",
                            List.of(
                                    "api", "bin", "go.env", "lib", "misc", "pkg", "src",
                                    "VERSION")),
                    new SdkShape("lib/plugins", List.of("bin", "lib")),
                    new SdkShape(
                            "pyvenv.cfg", List.of("bin", "include", "lib", "lib64", "pyvenv.cfg")));

    /** The tool's parts as resolved paths below its folder, if this is the bin of such a tool. */
    static Optional<List<Path>> of(HostFiles files, Path resolvedBin) {
        Path folder = resolvedBin.getParent();
        if (folder == null || !resolvedBin.endsWith("bin")) {
            return Optional.empty();
        }
        return ALL.stream()
                .filter(shape -> files.exists(folder.resolve(shape.mark())))
                .findFirst()
                .map(shape ->
                        shape.shown().stream().map(folder::resolve).filter(files::exists).toList());
    }
}
