package dev.carrel.core.apply;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.tree.TreePath;
import java.util.Locale;
import java.util.regex.Pattern;

/** A pattern of {@link LaterRun.Category}. */
record NamePattern(Pattern pattern) {

    static NamePattern of(String text) {
        StringBuilder expression = new StringBuilder("(?s).*/");
        for (String literal : text.split("(?=\\*)|(?<=\\*)", -1)) {
            expression.append(literal.equals("*") ? "[^/]*" : Pattern.quote(literal));
        }
        return new NamePattern(
                Pattern.compile(expression.append(text.endsWith("/") ? ".*" : "").toString()));
    }

    /** A path as {@link #matches} wants it. */
    static String text(TreePath path) {
        return "/" + new String(path.bytes(), ISO_8859_1).toLowerCase(Locale.ROOT);
    }

    boolean matches(String path) {
        return pattern.matcher(path).matches();
    }
}
