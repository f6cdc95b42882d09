package dev.carrel.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packages of the library in their order, as ARCHITECTURE.md lists them. */
record PackageTable(List<String> names) {

    static final String ROOT = "dev.carrel.core";

    private static final String HEADING = "## Packages of `core`";
    private static final Pattern ROW = Pattern.compile("\\| `([a-z]+)` \\| .+ \\|");

    PackageTable {
        names = List.copyOf(names);
    }

    static PackageTable read(Path document) throws IOException {
        List<String> names =
                Files.readAllLines(document).stream()
                        .dropWhile(line -> !line.equals(HEADING))
                        .skip(1)
                        .takeWhile(line -> !line.startsWith("## "))
                        .map(ROW::matcher)
                        .filter(Matcher::matches)
                        .map(row -> row.group(1))
                        .toList();
        return new PackageTable(names);
    }

    boolean lists(String packageName) {
        return names.contains(shortName(packageName));
    }

    /** Whether code of one package may name another: itself, and those above it. */
    boolean allows(String user, String used) {
        return names.indexOf(shortName(used)) <= names.indexOf(shortName(user));
    }

    /** The name in the table. A package below a listed one is a package of its own. */
    static String shortName(String packageName) {
        return packageName.startsWith(ROOT + ".")
                ? packageName.substring(ROOT.length() + 1)
                : packageName;
    }
}
