package dev.carrel.cli;

import dev.carrel.core.session.SessionRequest.RepoRequest;
import java.nio.file.Path;
import java.util.Optional;

/** {@code [NAME=]DIR}. A directory with an equals sign in its name is written with a slash. */
final class RepoWord {

    private RepoWord() {}

    static RepoRequest parse(String text, Path currentDirectory) {
        int equals = text.indexOf('=');
        int slash = text.indexOf('/');
        boolean named = equals > 0 && (slash < 0 || equals < slash);
        String directory = named ? text.substring(equals + 1) : text;
        return new RepoRequest(
                named ? Optional.of(text.substring(0, equals)) : Optional.empty(),
                currentDirectory.resolve(directory).normalize());
    }
}
