package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** SECURITY.md names a test for each promise; each of them has to exist. */
final class SecurityPromisesTest {

    private static final Path ROOT =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();

    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:IT|Test))#(\\w+)`");

    @Test
    void eachTestThatSecurityNamesExists() throws IOException {
        List<String> named =
                NAMED.matcher(Files.readString(ROOT.resolve("SECURITY.md")))
                        .results()
                        .map(match -> match.group(1) + "#" + match.group(2))
                        .toList();

        assertThat(named).hasSizeGreaterThan(20).allMatch(SecurityPromisesTest::exists);
    }

    @Test
    void eachPromiseOfTheTableNamesATest() throws IOException {
        List<String> promises =
                Files.readString(ROOT.resolve("SECURITY.md"))
                        .lines()
                        .dropWhile(line -> !line.equals("| promise | test |"))
                        .skip(2)
                        .takeWhile(line -> line.startsWith("|"))
                        .toList();

        assertThat(promises).isNotEmpty().allMatch(line -> NAMED.matcher(line).find());
    }

    private static boolean exists(String named) {
        String[] parts = named.split("#", 2);
        Pattern method =
                Pattern.compile("@\\w+(\\(.*?\\))?\\s+void " + parts[1] + "\\(", Pattern.DOTALL);
        return Stream.of("core", "cli", "system-tests")
                .map(module -> ROOT.resolve(module).resolve("src/test/java"))
                .anyMatch(sources -> isThere(sources, parts[0] + ".java", method));
    }

    private static boolean isThere(Path sources, String name, Pattern method) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.endsWith(name))
                    .anyMatch(file -> method.matcher(text(file)).find());
        } catch (IOException e) {
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
