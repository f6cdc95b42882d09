package dev.carrel.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs the contests and writes what came of them. */
public final class Main {

    private static final int ALL = 1;

    private Main() {}

    /** The checkout, then the names of the contests to run; none means all. */
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        List<String> wanted = List.of(arguments).subList(ALL, arguments.length);
        Workbench bench = Workbench.create(root);
        Report report = new Report(System.out);
        try {
            report.line("# How long things take");
            report.line("");
            report.line(
                    "`make bench` wrote this. The contenders of a table take turns, round by round,"
                            + " so that whatever else the machine does hits all of them; ratios are of"
                            + " medians.");
            report.line("");
            Machine.describe(bench).forEach(report::line);
            report.line("");
            for (Map.Entry<String, Callable<List<Callable<Contest>>>> group :
                    groups(bench).entrySet()) {
                if (wanted.isEmpty() || wanted.contains(group.getKey())) {
                    for (Callable<Contest> prepared : group.getValue().call()) {
                        Contest contest = prepared.call();
                        report.contest(contest, contest.run(), Machine.load());
                    }
                }
            }
        } finally {
            Files.writeString(
                    root.resolve(wanted.isEmpty() ? "bench/RESULTS.md" : "build/bench-results.md"),
                    report.text());
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> {
                                // After the sessions were let go.
                                try {
                                    Thread.sleep(1000);
                                    bench.remove();
                                } catch (Exception e) {
                                    System.err.println(
                                            "bench: left behind: " + bench.directory() + " " + e);
                                }
                            }));
        }
        System.exit(0);
    }

    private static Map<String, Callable<List<Callable<Contest>>>> groups(Workbench bench) {
        Map<String, Callable<List<Callable<Contest>>>> groups = new LinkedHashMap<>();
        CommandLineContests commands = new CommandLineContests(bench);
        LibraryContests library = new LibraryContests(bench);
        groups.put("cold", () -> List.of(commands::cold));
        groups.put("live", () -> List.of(commands::live));
        groups.put("library", () -> List.of(library::alone, library::together));
        EgressContests egress = new EgressContests(bench);
        groups.put("egress", () -> List.of(egress::start, egress::transfer, egress::delay));
        groups.put(
                "sessions",
                () -> {
                    SessionContests sessions = SessionContests.create(bench);
                    return List.of(
                            sessions::firstStart,
                            sessions::nextStart,
                            () -> sessions.diff(10, 10),
                            () -> sessions.diff(10_000, 3),
                            () -> sessions.apply(10, 10),
                            () -> sessions.apply(10_000, 3));
                });
        groups.put(
                "many",
                () -> {
                    ManySessions many = ManySessions.create(bench);
                    return List.of(many::exec, many::execByName, many::find, many::create);
                });
        return groups;
    }
}
