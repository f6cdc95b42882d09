package dev.carrel.core.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts a class of the tests in a JVM of its own, on the class path, for what needs a process. */
public final class ChildJvm {

    private ChildJvm() {}

    /** The command line; put another in front of it to run it somewhere special. */
    public static List<String> command(Class<?> main, String... arguments) {
        return command(main.getName(), arguments);
    }

    /** The same for a source file, which is compiled first. */
    public static List<String> command(Path source, String... arguments) {
        return command(source.toString(), arguments);
    }

    private static List<String> command(String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
        command.add("-XX:+UseSerialGC");
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts it; standard error joins standard output. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        return new ProcessBuilder(command(main, arguments)).redirectErrorStream(true).start();
    }

    /** Everything that this JVM has on its class path and its module path, and our own classes. */
    private static String classPath() {
        Path target = Path.of(System.getProperty("basedir", "."), "target").toAbsolutePath();
        return Stream.of(
                        target.resolve("classes").toString(),
                        target.resolve("test-classes").toString(),
                        System.getProperty(
                                "surefire.real.class.path", System.getProperty("java.class.path")),
                        System.getProperty("jdk.module.path", ""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(":"));
    }
}
