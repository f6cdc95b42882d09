package dev.carrel.cli;

import dev.carrel.core.agent.AgentStatus;
import dev.carrel.core.policy.AgentSettings.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code carrel agent list}. */
@Command(
        name = "carrel agent list",
        header = "List the agents: what is installed, with which key, and what they could reach.",
        customSynopsis = "carrel agent list [--json]",
        description = {"", "Programs are asked for their version; nothing else is run.", ""},
        footer = {"", "Examples:", "  carrel agent list", "  carrel agent list --json"})
final class AgentListVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Override
    public int run(Context context) throws InterruptedException {
        context.settle(List.of(context.directory()));
        List<AgentStatus> all;
        try (CoreAgents agents = context.sessions().agents(context.users().agents())) {
            all = agents.list();
        }
        if (json.asked) {
            context.out()
                    .println(
                            new Json.Array(all.stream().map(AgentListVerb::json).toList())
                                    .written());
            return ExitCode.OK;
        }
        for (AgentStatus agent : all) {
            lines(agent).forEach(line -> context.out().println(Human.oneLine(line)));
        }
        return ExitCode.OK;
    }

    private static List<String> lines(AgentStatus agent) {
        List<String> lines = new ArrayList<>();
        lines.add(agent.backend() + (agent.enabled() ? "" : " (not enabled)"));
        lines.add(
                "  program: "
                        + agent.program()
                                .map(path -> path + agent.version().map(v -> ", " + v).orElse(""))
                                .orElse("not installed; " + agent.installation()));
        lines.add("  tested:  " + String.join(", ", agent.tested()));
        lines.add(
                "  key:     "
                        + agent.key()
                                .orElse("none; set " + String.join(" or ", agent.keyVariables())));
        lines.add(
                "  runs:    "
                        + (agent.tier() == Tier.SANDBOX
                                ? "in a session (tier 1)"
                                : "as a plain process (tier 0), without walls"));
        lines.add("  reaches: " + String.join(", ", agent.hosts()));
        return lines;
    }

    private static Json json(AgentStatus agent) {
        Optional<String> program = agent.program().map(Path::toString);
        return Json.object()
                .put("backend", agent.backend())
                .put("enabled", agent.enabled())
                .put("installed", program.isPresent())
                .putIfPresent("program", program)
                .putIfPresent("version", agent.version())
                .put("tested", Json.texts(agent.tested()))
                .putIfPresent("key", agent.key())
                .put("tier", agent.tier().number())
                .put("hosts", Json.texts(agent.hosts()));
    }
}
