package dev.carrel.core.seccomp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of probes.txt: a call, and what its answer says about the filter. */
record KernelProbe(String label, Verdict verdict, int denial, String since, String call) {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    enum Verdict {
        CORE,
        AUDITED,
        ALLOWED
    }

    static List<KernelProbe> all() throws IOException {
        return resource("probes.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(KernelProbe::parse)
                .toList();
    }

    static String resource(String name) throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(KernelProbe.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static KernelProbe parse(String line) {
        String[] words = line.split(" +", 5);
        Verdict verdict = Verdict.valueOf(words[1].toUpperCase(java.util.Locale.ROOT));
        int denial = verdict == Verdict.ALLOWED ? 0 : Errno.valueOf(words[2]).number();
        return new KernelProbe(words[0], verdict, denial, words[3], words[4]);
    }

    /** Whether this kernel would give another answer than the denial if it were asked. */
    boolean hasControl() {
        return switch (since) {
            case "any" -> true;
            case "never" -> false;
            default -> rank(System.getProperty("os.version", "0.0")) >= rank(since);
        };
    }

    private static int rank(String version) {
        Matcher parts = VERSION.matcher(version);
        return parts.matches()
                ? 1000 * Integer.parseInt(parts.group(1)) + Integer.parseInt(parts.group(2))
                : 0;
    }
}
