package dev.carrel.core.host;

import java.util.Optional;

/**
 * One thing that was tried on this machine.
 *
 * @param name what was tried, a few words
 * @param outcome how it ended
 * @param found what was seen, with values
 * @param fix the command or setting that cures it
 */
public record Check(String name, Outcome outcome, String found, Optional<String> fix) {

    /** How a trial ended. */
    public enum Outcome {
        /** It works. */
        OK,
        /** Sessions run, with less than everything. */
        WARN,
        /** No session can run. */
        FAIL
    }

    static Check ok(String name, String found) {
        return new Check(name, Outcome.OK, found, Optional.empty());
    }

    static Check warn(String name, String found, String fix) {
        return new Check(name, Outcome.WARN, found, Optional.of(fix));
    }

    static Check fail(String name, String found, String fix) {
        return new Check(name, Outcome.FAIL, found, Optional.of(fix));
    }
}
