package dev.carrel.core.files;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.failure.UnsupportedHostException;
import java.util.HashMap;
import java.util.Map;

/** One run of a script on one path, and what its exit status means. */
record FileCall(Inside inside, ViewPath path) {

    private static final int COMMAND_NOT_FOUND = 127;

    Inside.Result run(String script, Map<String, String> variables, byte[] input)
            throws InterruptedException {
        Map<String, String> all = new HashMap<>(variables);
        all.put("CARREL_PATH", escaped(path.bytes()));
        Inside.Result result = inside.run(script, all, input);
        if (result.exit() != 0) {
            throw failure(result);
        }
        if (result.output().length >= Inside.MOST) {
            throw new HostOperationException(
                    path + " has more to tell than fits into memory",
                    "Name a directory further down.");
        }
        return result;
    }

    Inside.Result run(String script, Map<String, String> variables) throws InterruptedException {
        return run(script, variables, new byte[0]);
    }

    /**
     * For {@code printf %b}: letters stand for themselves, all other bytes are three octal digits.
     */
    private static String escaped(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            if ((b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '/' && b <= '9')) {
                text.append((char) b);
            } else {
                text.append(String.format("\\0%03o", b & 0xff));
            }
        }
        return text.toString();
    }

    private CarrelException failure(Inside.Result result) {
        return switch (result.exit()) {
            case FileScripts.NOT_FOUND -> new NotFoundException("there is no " + path);
            case FileScripts.IS_DIRECTORY -> new InvalidInputException(path + " is a directory");
            case FileScripts.NOT_REGULAR ->
                    new InvalidInputException(path + " is a FIFO, a socket or a device");
            case FileScripts.NOT_DIRECTORY ->
                    new InvalidInputException(path + " is not a directory");
            case FileScripts.EXISTS -> new ConflictException(path + " exists already");
            case FileScripts.CHANGED ->
                    new ConflictException(
                            path + " has changed since it was read", "Read it again.");
            case FileScripts.READ_ONLY ->
                    new InvalidInputException(path + " may not be written in the session");
            case FileScripts.BAD_PATTERN -> new InvalidInputException(result.errorText());
            case FileScripts.INPUT_CUT ->
                    new HostOperationException(
                            path + " was not written: the content did not arrive whole");
            case COMMAND_NOT_FOUND ->
                    new UnsupportedHostException(
                            "a tool for files is missing in the session: " + result.errorText(),
                            "Install coreutils, findutils and grep on this machine.");
            default ->
                    new HostOperationException(
                            "the session refused the operation on "
                                    + path
                                    + (result.error().length == 0
                                            ? " (status " + result.exit() + ")"
                                            : ": " + result.errorText()));
        };
    }
}
