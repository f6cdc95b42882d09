package dev.carrel.core.store;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.InvalidInputException;

/**
 * Where a value was read, for messages, and whose mistake a wrong one is.
 *
 * @param document the file or input
 * @param path of the value in it: {@code repos[0].name}; empty for the whole
 */
record JsonPlace(Origin origin, String document, String path) {

    /** Who wrote the document. */
    enum Origin {
        /** Carrel itself: something damaged it. */
        STORE,
        /** The caller: it has to be corrected. */
        INPUT
    }

    static final JsonPlace BUILT = new JsonPlace(Origin.INPUT, "the value", "");

    JsonPlace member(String name) {
        return new JsonPlace(origin, document, path.isEmpty() ? name : path + "." + name);
    }

    JsonPlace element(int index) {
        return new JsonPlace(origin, document, path + "[" + index + "]");
    }

    /** {@code problem} goes on from the place: "is missing". */
    CarrelException failure(String problem) {
        String message = document + ": " + (path.isEmpty() ? "" : path + " ") + problem;
        return switch (origin) {
            case INPUT -> new InvalidInputException(message);
            case STORE ->
                    new BrokenStoreException(
                            message,
                            "the file was left as it is: repair it, or move it out of the way");
        };
    }
}
