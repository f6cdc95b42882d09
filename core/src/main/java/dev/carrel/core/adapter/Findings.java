package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentEvent.Trouble;
import dev.carrel.core.adapter.AgentFailure.Kind;
import java.util.Optional;

/**
 * What the output of a run said so far, and what is made of it at the end. Success is a clean exit,
 * the agent's own sign and no contradiction: each of them alone was seen to lie.
 */
final class Findings {

    private static final int UNAUTHORIZED = 401;
    private static final int SIGNALS = 128;
    private static final int LAST_SIGNAL = 64;

    private Optional<String> conversation = Optional.empty();
    private Optional<String> model = Optional.empty();
    private final StringBuilder answer = new StringBuilder();
    private boolean success;
    private Optional<AgentFailure> failure = Optional.empty();
    private Optional<AgentFailure> lastTrouble = Optional.empty();
    private Optional<AgentFailure> givenUp = Optional.empty();

    void conversation(String id) {
        conversation = Optional.of(id);
    }

    Optional<String> conversation() {
        return conversation;
    }

    void model(Optional<String> name) {
        model = name.or(() -> model);
    }

    /** The last one is the answer of the run. */
    void answer(String text) {
        answer.setLength(0);
        more(text);
    }

    /** The next piece of an answer. */
    void more(String text) {
        int room = Excerpt.ANSWER - answer.length();
        answer.append(room > 1 ? Excerpt.first(text, room) : "");
    }

    String answer() {
        return answer.toString();
    }

    /** The agent says that it has done its work. Takes back what failed before. */
    void succeeded() {
        success = true;
        failure = Optional.empty();
    }

    /** The agent works on, so what was the end is none. */
    void goesOn() {
        success = false;
    }

    /** The agent says that it has failed. */
    Trouble failed(AgentFailure why) {
        success = false;
        failure = Optional.of(why);
        return new Trouble(why, false);
    }

    /** Something went wrong, and the agent tries again. */
    Trouble retrying(AgentFailure why) {
        lastTrouble = Optional.of(why);
        return new Trouble(why, true);
    }

    /**
     * The same. There is no sense in it with a key that was refused.
     *
     * @param status of the service's answer; 0: there is none
     */
    Trouble retrying(AgentFailure why, long status) {
        if (status == UNAUTHORIZED) {
            giveUp(why);
        }
        return retrying(why);
    }

    void giveUp(AgentFailure why) {
        givenUp = givenUp.or(() -> Optional.of(why));
    }

    Optional<AgentFailure> givenUp() {
        return givenUp;
    }

    /**
     * The report.
     *
     * @param error what standard error makes of it; empty: nothing
     * @param lastWords the end of standard error
     */
    AgentReport report(
            int exit,
            Optional<AgentFailure> error,
            String lastWords,
            TokenUsage usage,
            TokenUsage totals) {
        return new AgentReport(
                verdict(exit, error, lastWords), answer(), conversation, model, usage, totals);
    }

    private Optional<AgentFailure> verdict(
            int exit, Optional<AgentFailure> error, String lastWords) {
        if (exit == 0 && success && givenUp.isEmpty()) {
            return Optional.empty();
        }
        return givenUp.or(() -> failure)
                .or(() -> success ? Optional.of(contradiction(exit)) : error)
                .or(() -> lastTrouble)
                .or(() -> Optional.of(unfinished(exit, lastWords)));
    }

    private static AgentFailure contradiction(int exit) {
        return new AgentFailure(
                Kind.AGENT, "it said that it was done, but ended with exit status " + exit);
    }

    /** What is on standard error is noise but for a program that fails by itself. */
    private static AgentFailure unfinished(int exit, String lastWords) {
        if (exit > SIGNALS && exit <= SIGNALS + LAST_SIGNAL) {
            return unfinished("it was ended by signal " + (exit - SIGNALS), "");
        }
        String words = exit == 0 ? "" : lastLine(lastWords);
        return unfinished("it ended with exit status " + exit, words.isEmpty() ? "" : ": " + words);
    }

    private static AgentFailure unfinished(String how, String why) {
        return new AgentFailure(Kind.AGENT, how + " before it was done" + why);
    }

    /** What the last line of standard error makes of an exit, for programs that say no more. */
    static Optional<AgentFailure> lastWords(int exit, String error) {
        boolean killed = exit > SIGNALS && exit <= SIGNALS + LAST_SIGNAL;
        return Optional.of(lastLine(error))
                .filter(words -> exit != 0 && !killed && !words.isEmpty())
                .map(Causes::of);
    }

    private static String lastLine(String text) {
        String end = text.stripTrailing();
        return Excerpt.message(end.substring(end.lastIndexOf('\n') + 1));
    }
}
