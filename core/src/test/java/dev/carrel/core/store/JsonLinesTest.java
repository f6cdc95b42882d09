package dev.carrel.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {

    @TempDir Path host;

    @Test
    void readsAllLinesInOrder() {
        Path log = host.resolve("log");
        JsonLines.append(log, line(1));
        JsonLines.append(log, line(2));

        assertThat(JsonLines.read(log)).containsExactly(line(1), line(2));
        assertThat(JsonLines.read(host.resolve("none"))).isEmpty();
    }

    @Test
    void aLineCutOffHidesNoOther() throws Exception {
        Path log = host.resolve("log");
        JsonLines.append(log, line(1));
        Files.writeString(log, "{\"n\":2", StandardOpenOption.APPEND);
        assertThat(JsonLines.read(log)).containsExactly(line(1));

        JsonLines.append(log, line(3));

        assertThat(JsonLines.read(log)).containsExactly(line(1), line(3));
    }

    private static JsonObject line(int n) {
        return JsonObject.builder().put("n", n).build();
    }
}
