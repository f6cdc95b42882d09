package dev.carrel.core.session;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A second Carrel process: uses sessions as it is told, line by line, and tells how that went. */
public final class RaceMain {

    private RaceMain() {}

    /** {@code BASE BWRAP}; each line of the input is {@code VERB SESSION}. */
    public static void main(String[] arguments) throws Exception {
        SessionFixture fixture = SessionFixture.at(Path.of(arguments[0]), Path.of(arguments[1]));
        System.out.println("ready");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                System.out.println(RaceVerb.valueOf(words[0]).attempt(fixture.sessions, words[1]));
            }
        }
    }
}
