package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.session.SessionRequest.MountRequest;
import java.nio.file.Path;
import java.util.Optional;

/** {@code ro:DIR[:TARGET]}; the target is absolute, so that it is known where it begins. */
final class MountWord {

    private static final String READ_ONLY = "ro:";

    private MountWord() {}

    static MountRequest parse(String text, Path currentDirectory) {
        if (!text.startsWith(READ_ONLY) || text.length() == READ_ONLY.length()) {
            throw new InvalidInputException(
                    "--mount " + text + ": it needs the form ro:DIR or ro:DIR:TARGET");
        }
        String rest = text.substring(READ_ONLY.length());
        int target = rest.lastIndexOf(":/");
        String source = target > 0 ? rest.substring(0, target) : rest;
        return new MountRequest(
                currentDirectory.resolve(source).normalize(),
                target > 0 ? Optional.of(rest.substring(target + 1)) : Optional.empty());
    }
}
