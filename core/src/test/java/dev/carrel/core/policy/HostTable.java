package dev.carrel.core.policy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of hosts, for those tests that look at all of it. */
final class HostTable {

    /** A spelling, and its normal form or the word {@code refused}. */
    record Row(String written, String normal) {}

    private static final Pattern ESCAPE = Pattern.compile("\\\\(u([0-9a-f]{4})|\\*([0-9]+)(.))");

    private HostTable() {}

    static List<Row> rows() {
        try (InputStream table =
                Objects.requireNonNull(HostTable.class.getResourceAsStream("hosts.csv"))) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(line -> line.split("\\|", -1))
                    .map(cells -> new Row(cells[0].strip(), cells[1].strip()))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Reads a backslash, u and four digits as that character; a star, a number, x as so many x. */
    static String unescaped(String written) {
        String text = written.equals("(empty)") ? "" : written;
        Matcher escapes = ESCAPE.matcher(text);
        return escapes.replaceAll(found -> {
            String code = found.group(2);
            String plain =
                    code != null
                            ? String.valueOf((char) Integer.parseInt(code, 16))
                            : found.group(4).repeat(Integer.parseInt(found.group(3)));
            return Matcher.quoteReplacement(plain);
        });
    }
}
