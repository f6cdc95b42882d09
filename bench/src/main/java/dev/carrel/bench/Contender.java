package dev.carrel.bench;

/** One way of doing what a contest is about. */
sealed interface Contender {

    String name();

    /**
     * One that is there.
     *
     * @param before what each round needs first, not timed
     * @param timed what is timed, and the milliseconds that count
     * @param after what each round leaves to clean up, not timed
     * @param foreign a program of others: when it fails, that is a line of the report
     */
    record Ready(String name, Action before, Measure timed, Action after, boolean foreign)
            implements Contender {}

    /** One that this machine does not have. */
    record Missing(String name, String reason) implements Contender {}

    /** What a contender does. */
    @FunctionalInterface
    interface Action {

        Action NOTHING = () -> {};

        void run() throws Exception;
    }

    /** What a contender does, and the milliseconds that count. */
    @FunctionalInterface
    interface Measure {

        double NANOS_PER_MILLI = 1e6;

        double run() throws Exception;

        /** As long as it takes. */
        static Measure timeOf(Action action) {
            return () -> {
                long start = System.nanoTime();
                action.run();
                return (System.nanoTime() - start) / NANOS_PER_MILLI;
            };
        }
    }

    static Ready of(String name, Action timed) {
        return of(name, Action.NOTHING, timed, Action.NOTHING);
    }

    static Ready of(String name, Action before, Action timed, Action after) {
        return new Ready(name, before, Measure.timeOf(timed), after, false);
    }

    static Ready foreign(String name, Action timed) {
        return new Ready(name, Action.NOTHING, Measure.timeOf(timed), Action.NOTHING, true);
    }

    /** One that says itself what counts. */
    static Ready measured(String name, Measure measure, boolean foreign) {
        return new Ready(name, Action.NOTHING, measure, Action.NOTHING, foreign);
    }
}
