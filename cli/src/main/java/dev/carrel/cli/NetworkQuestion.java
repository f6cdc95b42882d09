package dev.carrel.cli;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.StandardStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Asks whether a session that sees the host may use its network. Once: it keeps the answer. */
record NetworkQuestion(Context context) {

    private static final int LONGEST = 100;
    private static final int A_MOMENT_MILLIS = 20;

    /** Without a terminal there is nobody to ask, and it may not. */
    boolean isAllowed() throws InterruptedException {
        if (!context.isTerminal(StandardStream.INPUT)
                || !context.isTerminal(StandardStream.ERROR)) {
            return false;
        }
        context.err()
                .print(
                        "carrel: this session sees the host. May it use the host's network, too? Local"
                                + " services are open then,\nand what can be read can be sent"
                                + " anywhere. [y/N] ");
        context.err().flush();
        String answer = line().strip().toLowerCase(Locale.ROOT);
        return answer.equals("y") || answer.equals("yes");
    }

    /** Not one byte more: what follows is typed for the command. Waiting can be interrupted. */
    private String line() throws InterruptedException {
        InputStream in = context.surroundings().in();
        StringBuilder line = new StringBuilder();
        try {
            while (line.length() < LONGEST) {
                while (in.available() == 0) {
                    Thread.sleep(A_MOMENT_MILLIS);
                }
                int next = in.read();
                if (next < 0 || next == '\n') {
                    break;
                }
                line.append((char) next);
            }
            return line.toString();
        } catch (IOException e) {
            throw new HostOperationException("cannot read the answer: " + e.getMessage(), null, e);
        }
    }
}
