package dev.carrel.bench;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** Runs the benchmarks, then puts medians side by side. Takes the options of JMH. */
public final class Main {

    private static final double MEDIAN = 50;

    private Main() {}

    /** Runs all benchmarks, or those that the arguments name. */
    public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
        Collection<RunResult> results = new Runner(new CommandLineOptions(arguments)).run();
        List<RunResult> byTime =
                results.stream().sorted(Comparator.comparingDouble(Main::median)).toList();
        double bare =
                byTime.stream()
                        .filter(result -> label(result).equals("bareBubblewrap"))
                        .mapToDouble(Main::median)
                        .findFirst()
                        .orElse(Double.NaN);
        System.out.println();
        for (RunResult result : byTime) {
            System.out.printf(
                    Locale.ROOT,
                    "%-16s median %6.2f ms   %5.2f x bare bubblewrap%n",
                    label(result),
                    median(result),
                    median(result) / bare);
        }
    }

    private static String label(RunResult result) {
        return result.getPrimaryResult().getLabel();
    }

    private static double median(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(MEDIAN);
    }
}
