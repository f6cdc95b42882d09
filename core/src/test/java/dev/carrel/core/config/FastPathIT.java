package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command does not pay for YAML and schemas, but when a file is new. */
class FastPathIT {

    private static final Pattern COSTLY =
            Pattern.compile(
                    "org\\.snakeyaml|tools\\.jackson\\.databind|com\\.networknt|org\\.slf4j");

    @TempDir Path directory;

    /** Reads the settings that hold in a directory. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws IOException {
            SettingsFiles files = new SettingsFiles(Path.of(arguments[0]));
            files.load(Path.of(arguments[1]));
        }
    }

    private List<String> costlyClasses() throws Exception {
        Path log = directory.resolve("classes.log");
        List<String> command =
                new ArrayList<>(
                        ChildJvm.command(
                                Reader.class,
                                directory.toString(),
                                directory.resolve("home/src/app").toString()));
        command.add(1, "-Xlog:class+load:file=" + log);
        Process reader = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(reader.getInputStream().readAllBytes(), UTF_8);
        assertThat(reader.waitFor()).as(said).isZero();
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> COSTLY.matcher(line).find()).toList();
        }
    }

    @Test
    void loadsThemForANewFileOnly() throws Exception {
        SettingsFiles files = new SettingsFiles(directory);
        files.repository("src/app");
        assertThat(costlyClasses()).as("without a file").isEmpty();

        files.write("src/carrel.yaml", "sandbox: {hostname: box}\n");
        files.write("src/app/carrel.yaml", "sandbox: {seccomp: enforce}\n");
        assertThat(costlyClasses()).as("for new files").hasSizeGreaterThan(200);
        assertThat(costlyClasses()).as("for files that were read before").isEmpty();
    }
}
