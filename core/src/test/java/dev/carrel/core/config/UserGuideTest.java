package dev.carrel.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of the user guide is that of the schema. */
class UserGuideTest {

    private static final String BEGIN = "<!-- keys: begin -->\n";
    private static final String END = "<!-- keys: end -->";

    @Test
    void listsEveryKeyAsTheSchemaHasIt() throws IOException {
        String guide = Files.readString(Path.of("../docs/user-guide.md"));
        String table = guide.substring(guide.indexOf(BEGIN) + BEGIN.length(), guide.indexOf(END));

        assertThat(table).isEqualTo(table());
    }

    private static String table() {
        return "| key | values | default | a repository may | meaning |\n| --- | --- | --- | --- | --- |\n"
                + new Schema()
                        .keys().stream().map(UserGuideTest::row).collect(Collectors.joining());
    }

    private static String row(SchemaKey key) {
        String byDefault =
                key.defaultValue()
                        .map(SchemaKey::shown)
                        .filter(text ->
                                !text.equals("null") && !text.equals("[]") && !text.equals("{}"))
                        .map(text -> "`" + text + "`")
                        .orElse("none");
        String values = key.isList() ? "a list" : key.allowed();
        String path = key.path().replace("*", "NAME");
        return "| `%s` | %s | %s | %s | %s |\n"
                .formatted(path, values, byDefault, key.narrowing().described(), key.description());
    }

    /** Prints the table, to be put into the guide. */
    public static void main(String[] arguments) {
        System.out.print(table());
    }
}
