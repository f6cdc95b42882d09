package dev.carrel.core.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {

    private static final String LINE_START = "42 (a) name) S) ";

    @Test
    void theOwnProcessIsAlive() {
        ProcessIdentity self = ProcessIdentity.current();

        assertThat(self.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(self.isAlive()).isTrue();
    }

    @Test
    void anotherStartTimeIsAnotherProcess() {
        ProcessIdentity self = ProcessIdentity.current();

        assertThat(new ProcessIdentity(self.pid(), self.startTime() - 1).isAlive()).isFalse();
    }

    @Test
    void anUnusedNumberIsNoProcess() {
        assertThat(ProcessIdentity.of(Integer.MAX_VALUE)).isEmpty();
    }

    @Test
    void readsFieldsAfterTheLastParenthesis() {
        Optional<ProcessIdentity.Stat> stat = ProcessIdentity.Stat.parse(line('S', 0x400100));

        assertThat(stat).contains(new ProcessIdentity.Stat('S', 0x400100, 777));
        assertThat(stat.orElseThrow().alive()).isTrue();
    }

    @Test
    void zombiesAndExitingProcessesAreDead() {
        assertThat(ProcessIdentity.Stat.parse(line('Z', 0)).orElseThrow().alive()).isFalse();
        assertThat(ProcessIdentity.Stat.parse(line('X', 0)).orElseThrow().alive()).isFalse();
        assertThat(ProcessIdentity.Stat.parse(line('R', 0x4)).orElseThrow().alive()).isFalse();
    }

    @Test
    void aLineCutShortIsNoAnswer() {
        assertThat(ProcessIdentity.Stat.parse("")).isEmpty();
        assertThat(ProcessIdentity.Stat.parse("42 (a) S 1 2")).isEmpty();
    }

    private static String line(char state, long flags) {
        // Fields 3 to 23: state ppid pgrp session tty tpgid flags … start time (22) vsize
        return LINE_START
                + state
                + " 1 2 3 4 5 "
                + flags
                + " 8 9 10 11 12 13 14 15 16 17 18 19"
                + " 777 23\n";
    }
}
