package dev.carrel.core.config;

/**
 * A place in a text, both counted from 1.
 *
 * @param line the line
 * @param column the character in it
 */
public record Position(int line, int column) implements Comparable<Position> {

    @Override
    public int compareTo(Position other) {
        return line == other.line
                ? Integer.compare(column, other.column)
                : Integer.compare(line, other.line);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
