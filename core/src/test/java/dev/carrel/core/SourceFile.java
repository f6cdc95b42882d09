package dev.carrel.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A source file as text: what byte code does not show. */
record SourceFile(Path path, String text) {

    private static final Pattern WORDLESS =
            Pattern.compile(
                    "/\\*.*?\\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'",
                    Pattern.DOTALL);
    private static final Pattern TYPE =
            Pattern.compile("\\b(class|interface|enum|record)\\s+\\w", Pattern.DOTALL);
    private static final Pattern USE = Pattern.compile("\\bdev\\.carrel\\.core(\\.[a-z]+)+");

    /** A method or constructor, from its first line to its closing brace. */
    record Method(Path file, String header, int lines) {
        @Override
        public String toString() {
            return file.getFileName() + ": " + header + " (" + lines + " lines)";
        }
    }

    static List<SourceFile> below(Path root) throws IOException {
        List<SourceFile> files = new ArrayList<>();
        try (Stream<Path> found = Files.walk(root)) {
            for (Path path : found.filter(p -> p.toString().endsWith(".java")).sorted().toList()) {
                files.add(new SourceFile(path, Files.readString(path)));
            }
        }
        return files;
    }

    int lines() {
        return Math.toIntExact(text.lines().count());
    }

    @Override
    public String toString() {
        return path.toString();
    }

    boolean isOf(String name) {
        return path.endsWith(name);
    }

    /** The package that a file of the library stands in. */
    String packageName() {
        Matcher named = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE).matcher(code());
        return named.find() ? named.group(1) : "";
    }

    /** The packages that the code names. Constants are inlined, so byte code does not tell all. */
    List<String> namedPackages() {
        return USE.matcher(code()).results().map(use -> use.group()).distinct().toList();
    }

    /** Methods and constructors of all types but anonymous ones, which count to their method. */
    List<Method> methods() {
        String code = code();
        List<Method> methods = new ArrayList<>();
        Deque<Block> open = new ArrayDeque<>();
        int headerStart = 0;
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == '{') {
                open.push(Block.of(code, headerStart, i, open.peek()));
            } else if (c == '}') {
                Block closed = open.pop();
                if (closed.kind() == Kind.METHOD) {
                    int lines = lines(code, closed.start(), i + 1);
                    methods.add(new Method(path, closed.header(), lines));
                }
            }
            if (c == '{' || c == '}' || c == ';') {
                headerStart = i + 1;
            }
        }
        return methods;
    }

    private enum Kind {
        TYPE,
        METHOD,
        OTHER
    }

    private record Block(Kind kind, String header, int start) {

        static Block of(String code, int from, int brace, Block around) {
            String raw = code.substring(from, brace);
            String header = raw.strip().replaceAll("\\s+", " ");
            int start = from + raw.indexOf(raw.stripLeading());
            boolean inType = around == null || around.kind() == Kind.TYPE;
            if (!inType) {
                // Local types are part of their method.
                return new Block(Kind.OTHER, header, start);
            }
            if (TYPE.matcher(header).find()) {
                return new Block(Kind.TYPE, header, start);
            }
            boolean initializer = header.contains("=") || header.isEmpty();
            return new Block(initializer ? Kind.OTHER : Kind.METHOD, header, start);
        }
    }

    private static int lines(String code, int from, int to) {
        return Math.toIntExact(code.substring(from, to).lines().count());
    }

    /** The text with the same lines but without comments and texts. */
    private String code() {
        return WORDLESS.matcher(text)
                .replaceAll(found ->
                        "\n".repeat((int) found.group().chars().filter(c -> c == '\n').count()));
    }
}
