package dev.carrel.core.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Starts a class of the tests in a JVM of its own, on the class path, for what needs a process. */
public final class ChildJvm {

    private ChildJvm() {}

    /** Does what children do, so that what they load is known. */
    private static final String TRAINING = "dev.carrel.core.session.TrainingMain";

    /** The command line; put another in front of it to run it somewhere special. */
    public static List<String> command(Class<?> main, String... arguments) {
        return command(Prepared.OPTIONS, main.getName(), arguments);
    }

    /** The same for a source file, which is compiled first. */
    public static List<String> command(Path source, String... arguments) {
        List<String> options = List.of("-cp", String.join(":", classPath()));
        return command(options, source.toString(), arguments);
    }

    private static List<String> command(List<String> options, String main, String... arguments) {
        List<String> command = new ArrayList<>(java());
        command.addAll(options);
        command.add(main);
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                // Most children end before what is compiled would pay.
                "-XX:CompileThresholdScaling=10",
                "-XX:+UseSerialGC",
                "-Xms16m",
                "-XX:-UsePerfData");
    }

    /** Where all of the class path and its archive lie: a copy of it works as well. */
    public static Path classes() {
        return Prepared.CLASSES;
    }

    /** Made when the first child is started. */
    private static final class Prepared {
        private static final ClassArchive ARCHIVE =
                new ClassArchive(target().resolve("child-classes"), classPath());
        static final Path CLASSES = ARCHIVE.made(java(), TRAINING);
        static final List<String> OPTIONS = ARCHIVE.options(CLASSES);
    }

    /** Starts it; standard error joins standard output. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        return new ProcessBuilder(command(main, arguments)).redirectErrorStream(true).start();
    }

    private static Path target() {
        return Path.of(System.getProperty("basedir", "."), "target").toAbsolutePath().normalize();
    }

    /** Everything that this JVM has on its class path and its module path, and our own classes. */
    private static List<String> classPath() {
        return Stream.of(
                        target().resolve("classes").toString(),
                        target().resolve("test-classes").toString(),
                        System.getProperty(
                                "surefire.real.class.path", System.getProperty("java.class.path")),
                        System.getProperty("jdk.module.path", ""))
                .flatMap(parts -> Stream.of(parts.split(":")))
                .filter(part -> !part.isEmpty())
                .distinct()
                .toList();
    }
}
