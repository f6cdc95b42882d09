package dev.carrel.bench;

import dev.carrel.bench.Contest.Outcome;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** Markdown: on standard output as it comes, and kept for the file. */
final class Report {

    private final StringBuilder text = new StringBuilder();
    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    void line(String line) {
        text.append(line).append('\n');
        out.println(line);
        out.flush();
    }

    /** One table. */
    void contest(Contest contest, Map<String, Outcome> outcomes, String load) {
        line("## " + contest.title());
        line("");
        line(contest.remark());
        line("");
        line(
                "| "
                        + contest.rounds()
                        + " rounds, load "
                        + load
                        + " | median | 10 % | 90 % | × "
                        + contest.reference()
                        + " |");
        line("| --- | ---: | ---: | ---: | ---: |");
        double reference =
                outcomes.get(contest.reference()) instanceof Outcome.Timed(Times times)
                        ? times.median()
                        : Double.NaN;
        outcomes.forEach((name, outcome) ->
                line(
                        switch (outcome) {
                            case Outcome.NotRun(String reason) ->
                                    "| " + name + " | " + reason + " | | | |";
                            case Outcome.Timed(Times times) -> row(name, times, reference);
                        }));
        line("");
    }

    private static String row(String name, Times times, double reference) {
        return "| "
                + name
                + " | "
                + millis(times.median())
                + " | "
                + millis(times.tenth())
                + " | "
                + millis(times.ninetieth())
                + " | "
                + ratio(times.median() / reference)
                + " |";
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f ms" : "%.0f ms", value);
    }

    private static String ratio(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.2f", value);
    }

    String text() {
        return text.toString();
    }
}
