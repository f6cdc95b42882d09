package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressEvent.Protocol;
import dev.carrel.core.policy.HostCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EgressLogTest {

    private static final Instant NOW = Instant.parse("2026-05-04T03:02:01.5Z");

    @TempDir Path directory;

    private static List<EgressEvent> oneOfEachKind() {
        return List.of(
                new EgressEvent.Allowed(
                        NOW, 1, Protocol.CONNECT, "a.example", 443, "*.example", "192.0.2.1"),
                new EgressEvent.Closed(NOW, 1, "a.example", 443, 10, 20, "done"),
                new EgressEvent.Denied(
                        NOW,
                        2,
                        Protocol.SOCKS,
                        "b.example",
                        22,
                        Optional.empty(),
                        "no rule allows it",
                        Optional.of("b.example:22")),
                new EgressEvent.Denied(
                        NOW,
                        3,
                        Protocol.HTTP,
                        "c.example",
                        80,
                        Optional.of("c.example"),
                        "rule 'c.example' denies it",
                        Optional.empty()),
                new EgressEvent.Refused(NOW, 4, Protocol.UNKNOWN, "", 0, "too many connections"),
                new EgressEvent.Failed(NOW, 5, Protocol.HTTP, "a.example", 443, "no answer"));
    }

    @Test
    void whatIsWrittenIsRead() {
        EgressLog log = new EgressLog(directory.resolve("egress.jsonl"));
        oneOfEachKind().forEach(log::happened);

        assertThat(log.read()).isEqualTo(oneOfEachKind());
    }

    @Test
    void whereNothingHappenedNothingIsRead() {
        assertThat(new EgressLog(directory.resolve("egress.jsonl")).read()).isEmpty();
    }

    @Test
    void damagedLinesAndKindsToComeHideNoOthers() throws IOException {
        EgressLog log = new EgressLog(directory.resolve("egress.jsonl"));
        log.happened(oneOfEachKind().getFirst());
        Files.writeString(
                log.file(),
                """
                {"time":"2026-05-04T03:02:01Z","event":"dreamt","connection":1,"host":"a","port":1}
                {"time":"never","event":"failed","connection":1,"host":"a","port":1}
                {"time":"2026-05-04T03:02:01Z","event":"failed","connection":1,"host":3,"port":1}
                {"time":
                """,
                StandardOpenOption.APPEND);
        log.happened(oneOfEachKind().getLast());

        assertThat(log.read())
                .containsExactly(oneOfEachKind().getFirst(), oneOfEachKind().getLast());
    }

    @Test
    void aLongFileIsMovedAsideAndTheOneBeforeItGoes() throws IOException {
        EgressLog log = new EgressLog(directory.resolve("egress.jsonl"), 2000);
        for (int i = 0; i < 60; i++) {
            log.happened(new EgressEvent.Closed(NOW, i, "a.example", 443, i, i, "done"));
        }

        assertThat(log.earlier()).hasFileName("egress.1.jsonl").exists();
        assertThat(Files.size(log.file()) + Files.size(log.earlier())).isLessThan(5000);
        List<EgressEvent> kept = log.read();
        assertThat(kept).hasSizeBetween(15, 40);
        assertThat(kept.getLast().connection()).isEqualTo(59);
        assertThat(kept)
                .isSortedAccordingTo((a, b) -> Long.compare(a.connection(), b.connection()));
    }

    @Test
    @Tag("NW-31")
    void eventsAreCountedByHostAndPort() {
        assertThat(HostCount.of(oneOfEachKind()))
                .containsExactly(
                        new HostCount("", 0, 0, 1, 0, 0, 0),
                        new HostCount("a.example", 443, 1, 0, 1, 10, 20),
                        new HostCount("b.example", 22, 0, 1, 0, 0, 0),
                        new HostCount("c.example", 80, 0, 1, 0, 0, 0));
    }
}
