package dev.carrel.cli;

import dev.carrel.core.host.Caller;
import dev.carrel.core.host.Check;
import dev.carrel.core.host.Doctor;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.session.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code carrel doctor}. */
@Command(
        name = "carrel doctor",
        header = "Try what sessions need of this machine.",
        customSynopsis = "carrel doctor [--json]",
        description = {
            "",
            "Each thing is tried for real. The exit code is 1 where a session could not run.",
            ""
        },
        footer = {"", "Examples:", "  carrel doctor", "  carrel doctor --json"})
final class DoctorVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Override
    public int run(Context context) throws InterruptedException {
        Surroundings surroundings = context.surroundings();
        Settings settings =
                Settings.of(
                        surroundings.environment(),
                        surroundings.directory(),
                        surroundings.home(),
                        context.users());
        List<Check> checks =
                new Doctor(
                                Caller.current(),
                                settings.carrelHome(),
                                settings.workspaceBase(),
                                new HostProcessRunner())
                        .examine();
        if (json.asked) {
            context.out().println(json(checks).written());
        } else {
            lines(checks).forEach(context.out()::println);
        }
        return Doctor.canRun(checks) ? ExitCode.OK : ExitCode.FAILED;
    }

    static List<String> lines(List<Check> checks) {
        List<String> lines = new ArrayList<>();
        Table table = new Table();
        checks.forEach(check ->
                table.row(
                        outcome(check),
                        check.name(),
                        String.join("; ", check.found().lines().map(Human::oneLine).toList())));
        List<String> rows = table.lines();
        for (int i = 0; i < rows.size(); i++) {
            lines.add(rows.get(i));
            checks.get(i)
                    .fix()
                    .ifPresent(fix -> fix.lines().forEach(line -> lines.add("      fix: " + line)));
        }
        lines.add("");
        lines.add(Doctor.canRun(checks) ? "Sessions can run here." : "No session can run here.");
        return lines;
    }

    static Json json(List<Check> checks) {
        List<Json> each = new ArrayList<>();
        for (Check check : checks) {
            each.add(
                    Json.object()
                            .put("name", check.name())
                            .put("outcome", outcome(check))
                            .put("found", check.found())
                            .putIfPresent("fix", check.fix()));
        }
        return Json.object()
                .put("canRun", Doctor.canRun(checks))
                .put("checks", new Json.Array(each));
    }

    private static String outcome(Check check) {
        return check.outcome().name().toLowerCase(Locale.ROOT);
    }
}
