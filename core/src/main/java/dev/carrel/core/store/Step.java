package dev.carrel.core.store;

/**
 * One effect of a plan. Steps run in order; each is idempotent or detects that it was done, so that
 * a plan made anew after a kill at any point finishes the work.
 *
 * @param name what it does, short and stable: shown by plans and used by tests that stop after it
 * @param action the effect
 */
public record Step(String name, Action action) {

    /** Carries the effect out. */
    public void run() throws InterruptedException {
        action.run();
    }

    /** An effect. Its failures are those of {@code dev.carrel.core.failure}. */
    @FunctionalInterface
    public interface Action {
        /** Carries it out. */
        void run() throws InterruptedException;
    }
}
