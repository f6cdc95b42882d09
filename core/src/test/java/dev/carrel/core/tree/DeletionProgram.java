package dev.carrel.core.tree;

import dev.carrel.core.failure.CarrelException;
import java.nio.file.Path;

/** A process of its own that deletes a tree and prints what went wrong, if anything. */
public final class DeletionProgram {

    private DeletionProgram() {}

    /** {@code PARENT NAME}. */
    public static void main(String[] arguments) {
        try {
            Trees.delete(Path.of(arguments[0]), arguments[1]);
            System.out.println("deleted");
        } catch (CarrelException failed) {
            System.out.println(failed.message());
        }
    }
}
