package dev.carrel.core.files;

import java.util.List;

/**
 * What was found.
 *
 * @param matches in the order of the directories
 * @param complete false if there are more than the limit of the request
 */
public record GrepResult(List<Match> matches, boolean complete) {

    public GrepResult {
        matches = List.copyOf(matches);
    }

    /**
     * One line.
     *
     * @param path the file
     * @param line its number, from 1
     * @param text the line without its end, as UTF-8, cut after 2000 bytes
     */
    public record Match(ViewPath path, long line, String text) {}
}
