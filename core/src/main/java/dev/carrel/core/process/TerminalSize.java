package dev.carrel.core.process;

/** The size of a terminal in characters; both 0 where it is not known. */
public record TerminalSize(int rows, int columns) {

    public TerminalSize {
        if (rows < 0 || columns < 0) {
            throw new IllegalArgumentException("a terminal of " + rows + " rows");
        }
    }
}
