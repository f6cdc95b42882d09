package dev.carrel.bench;

/** The least that a Java program can do. */
public final class Nothing {

    private Nothing() {}

    /** Does nothing. */
    public static void main(String[] arguments) {}
}
