package dev.carrel.core.runtime;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.process.ProcessResult;
import java.util.Optional;

/**
 * Appends numbered tokens to one shared file, each in a command of its own, and reads them back.
 */
final class TokenWriter {

    private final RuntimeFixture session;
    private final String name;
    private int next;

    TokenWriter(RuntimeFixture session, String name) {
        this.session = session;
        this.name = name;
    }

    /**
     * Appends the next token.
     *
     * @return it, if the command said that it has been written and everything written before is
     *     still there; empty if the command was killed
     */
    Optional<String> step() throws InterruptedException {
        String token = name + "-" + ++next;
        try {
            ProcessResult result =
                    session.run("echo " + token + " >> tokens; grep -cx " + token + " tokens");
            return result.exit() == 0 && result.outputText().equals("1\n")
                    ? Optional.of(token)
                    : Optional.empty();
        } catch (CarrelException killed) {
            return Optional.empty();
        }
    }
}
