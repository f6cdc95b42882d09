package dev.carrel.bench;

/** One way of doing what a contest is about. */
sealed interface Contender {

    String name();

    /**
     * One that is there.
     *
     * @param before what each round needs first, not timed
     * @param timed what is timed
     * @param after what each round leaves to clean up, not timed
     * @param foreign a program of others: when it fails, that is a line of the report
     */
    record Ready(String name, Action before, Action timed, Action after, boolean foreign)
            implements Contender {}

    /** One that this machine does not have. */
    record Missing(String name, String reason) implements Contender {}

    /** What a contender does. */
    @FunctionalInterface
    interface Action {

        Action NOTHING = () -> {};

        void run() throws Exception;
    }

    static Ready of(String name, Action timed) {
        return new Ready(name, Action.NOTHING, timed, Action.NOTHING, false);
    }

    static Ready of(String name, Action before, Action timed, Action after) {
        return new Ready(name, before, timed, after, false);
    }

    static Ready foreign(String name, Action timed) {
        return new Ready(name, Action.NOTHING, timed, Action.NOTHING, true);
    }
}
