package dev.carrel.cli;

import static dev.carrel.core.process.StandardStream.ERROR;
import static dev.carrel.core.process.StandardStream.INPUT;
import static dev.carrel.core.process.StandardStream.OUTPUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.StandardStream;
import dev.carrel.core.process.TerminalRelay.Keyboard;
import dev.carrel.core.session.CommandRequest.Streams;
import dev.carrel.core.session.CommandRequest.Streams.End;
import dev.carrel.core.session.ShownBytes;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class StreamPlanTest {

    private static Predicate<StandardStream> terminals(StandardStream... streams) {
        return List.of(streams)::contains;
    }

    @Test
    void handsStreamsOnWhereThereIsNoTerminal() {
        StreamPlan plan = StreamPlan.of(terminals());

        assertThat(plan.needsTerminal()).isFalse();
        assertThat(plan.withoutTerminal()).isEqualTo(new Streams.Inherited());
    }

    @Test
    void putsAFreshTerminalInThePlaceOfTheCallers() {
        StreamPlan plan = StreamPlan.of(terminals(INPUT, OUTPUT, ERROR));

        ShownBytes shown = new ShownBytes();
        assertThat(plan.atTerminal(Path.of("/dev/pts/9"), shown))
                .isEqualTo(
                        new Streams.Terminal(
                                Path.of("/dev/pts/9"),
                                End.TERMINAL,
                                End.TERMINAL,
                                End.TERMINAL,
                                shown));
        assertThat(plan.keyboard()).isEqualTo(Keyboard.RAW);
        assertThat(plan.shownOn()).isEqualTo(OUTPUT);
    }

    @Test
    void leavesARedirectedOutputUnchanged() {
        StreamPlan plan = StreamPlan.of(terminals(INPUT, ERROR));

        assertThat(plan)
                .isEqualTo(
                        new StreamPlan(
                                End.TERMINAL, End.INHERITED, End.TERMINAL, Keyboard.LINES, ERROR));
    }

    @Test
    void leavesARedirectedErrorStreamUnchanged() {
        StreamPlan plan = StreamPlan.of(terminals(INPUT, OUTPUT));

        assertThat(plan.error()).isEqualTo(End.INHERITED);
        assertThat(plan.keyboard()).isEqualTo(Keyboard.RAW);
    }

    @Test
    void neverHandsTheCallersTerminalOnEvenWithoutItsKeyboard() {
        StreamPlan plan = StreamPlan.of(terminals(OUTPUT, ERROR));

        assertThat(plan)
                .isEqualTo(
                        new StreamPlan(
                                End.INHERITED, End.TERMINAL, End.TERMINAL, Keyboard.NONE, OUTPUT));
    }

    @Test
    void movesAllOutputAwayFromAReport() {
        assertThat(StreamPlan.withFreeOutput(terminals()).withoutTerminal())
                .isEqualTo(new Streams.OutputToError());
        assertThat(StreamPlan.withFreeOutput(terminals(INPUT, OUTPUT)))
                .isEqualTo(
                        new StreamPlan(
                                End.TERMINAL,
                                End.STANDARD_ERROR,
                                End.INHERITED,
                                Keyboard.RAW,
                                INPUT));
        assertThat(StreamPlan.withFreeOutput(terminals(INPUT, OUTPUT, ERROR)).shownOn())
                .isEqualTo(ERROR);
    }
}
