package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records that somebody else wrote. */
class SessionRecordDenialIT {

    private static final int ROUNDS = 3_000;
    private static final byte[] TELLING = "{}[]\",:0-9.e\\ntf/".getBytes(StandardCharsets.UTF_8);

    private static SessionFixture fixture;
    private static Session session;
    private static Path file;
    private static String valid;

    @BeforeAll
    static void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        session = fixture.sessions.create(SessionRequest.of(fixture.git("app")));
        fixture.run(session, "echo changed > a.txt");
        file = fixture.tools().layout().session(session.id().value()).record();
        valid = Files.readString(file);
    }

    @AfterAll
    static void end() throws Exception {
        if (fixture != null) {
            Files.writeString(file, valid);
            fixture.remove();
        }
    }

    private static Map<String, String> tamperings() {
        Identity identity = fixture.record(session).identity();
        String base = fixture.base.toString();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("\"uid\" : " + identity.uid(), "\"uid\" : 0");
        all.put("\"name\" : \"app\"", "\"name\" : \"../../../app\"");
        all.put("\"generation\" : 1", "\"generation\" : -1");
        all.put("\"root\" : \"" + base + "/app\"", "\"root\" : \"/\"");
        all.put("\"" + base + "/state/snapshots/", "\"" + base + "/state/snapshots/../../");
        all.put("\"" + base + "/state/sessions/", "\"" + base + "/state/sessions/other/");
        all.put("\"" + base + "/state/snapshots", "\"/etc");
        all.put("\"token\" : \"", "\"token\" : \"../../");
        all.put("\"id\" : \"" + session.id(), "\"id\" : \"other");
        all.put("\"at\" : \"/usr\"", "\"at\" : \"/workspace/app\"");
        all.put("\"source\" : \"/usr\"", "\"source\" : \"/\"");
        String hidden = "{ \"entry\" : \"a\", \"path\" : \"../../etc\", \"directory\" : true }";
        all.put("\"hidden\" : [ ]", "\"hidden\" : [ " + hidden + " ]");
        return all;
    }

    @Test
    @Tag("NS-07")
    void whatCarrelWouldNotHaveWrittenIsRefusedByEveryUse() throws Exception {
        Path host = fixture.base.resolve("app");
        Map<String, String> before = Map.of("host", TreeImage.of(host).toString());
        for (Map.Entry<String, String> tampering : tamperings().entrySet()) {
            String changed = valid.replace(tampering.getKey(), tampering.getValue());
            assertThat(changed).as("%s", tampering).isNotEqualTo(valid);
            Files.writeString(file, changed);
            for (Use use : uses()) {
                assertThatThrownBy(use::run)
                        .as("%s after %s", use, tampering)
                        .isInstanceOf(BrokenStoreException.class)
                        .hasMessageContaining("session.json");
            }
        }
        assertThat(Map.of("host", TreeImage.of(host).toString())).isEqualTo(before);
        // The control: the record as it was serves all of them.
        Files.writeString(file, valid);
        assertThat(fixture.run(session, "cat a.txt")).isEqualTo("changed\n");
        assertThat(session.changes(List.of(), false)).hasSize(1);
        assertThat(session.planApply(List.of(), false).conflicts()).isEmpty();
    }

    @Test
    @Tag("NS-07")
    void aTextThatWasGoodIsRefusedWhenItsPathsLeadElsewhere() throws Exception {
        Path link = fixture.base.resolve("link");
        Files.createSymbolicLink(link, fixture.state);
        String state = "\"" + fixture.state + "/";
        Files.writeString(file, valid.replace(state, "\"" + link + "/"));
        RecordFile read = new RecordFile(file);
        assertThat(read.read()).isSameAs(read.read());
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("/etc"));
        assertThatThrownBy(read::read).isInstanceOf(BrokenStoreException.class);
        Files.writeString(file, valid);
        assertThat(read.read().id()).isEqualTo(session.id());
    }

    private interface Use {
        void run() throws Exception;
    }

    private static List<Use> uses() {
        return List.of(
                () -> session.run(CommandRequest.of("true")),
                () -> session.changes(List.of(), false),
                () -> session.apply(List.of(), false),
                () -> session.discard(List.of()));
    }

    @Test
    void anyGarbageIsAFailureOfOursOrARecord() throws Exception {
        Random random = new Random(20_261);
        Path scratch = Files.createDirectory(fixture.state.resolve("sessions/.garbage"));
        Path garbage = scratch.resolve("session.json");
        byte[] bytes = valid.getBytes(StandardCharsets.UTF_8);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Files.write(garbage, mutated(bytes, random));
            try {
                SessionFormat.read(garbage);
            } catch (CarrelException e) {
                assertThat(e.message()).isNotBlank();
                refused++;
            }
        }
        assertThat(refused).isBetween(ROUNDS / 10, ROUNDS - 1);
    }

    private static byte[] mutated(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] = TELLING[random.nextInt(TELLING.length)];
                case 2 -> {
                    int length = Math.min(random.nextInt(40), bytes.length - at);
                    System.arraycopy(
                            bytes, random.nextInt(bytes.length - length), bytes, at, length);
                }
                default ->
                        bytes =
                                java.util.Arrays.copyOf(
                                        bytes, random.nextInt(8) == 0 ? at : bytes.length);
            }
            if (bytes.length == 0) {
                return bytes;
            }
        }
        return bytes;
    }
}
