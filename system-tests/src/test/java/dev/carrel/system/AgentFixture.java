package dev.carrel.system;

import dev.carrel.system.Installation.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An installation whose agents find their models at a {@link ModelServer}: in a session under the
 * models' own names, ports and TLS, through Carrel's proxy and one above it; as a plain process,
 * where there is no proxy, by plain HTTP.
 */
final class AgentFixture {

    final Installation installation;
    final ModelServer models;
    final ModelServer plainModels;
    private final NameProxy above;

    private AgentFixture(
            Installation installation, ModelServer models, ModelServer plain, NameProxy above) {
        this.installation = installation;
        this.models = models;
        this.plainModels = plain;
        this.above = above;
    }

    static AgentFixture open() throws Exception {
        Installation installation = Installation.open();
        installation.needs("socat");
        installation.needs("openssl");
        installation.needs("python3");
        List<String> hosts = Arrays.stream(AgentCli.values()).map(cli -> cli.host).toList();
        ModelServer models =
                ModelServer.tls(Files.createDirectory(installation.file("models")), hosts);
        ModelServer plain =
                ModelServer.plain(Files.createDirectory(installation.file("plain-models")));
        return new AgentFixture(installation, models, plain, new NameProxy(models.port()));
    }

    /** Where the command lines are, as {@code scripts/test-agents} left them. */
    static Path programs() {
        return Path.of(System.getenv("CARREL_TEST_AGENTS"), "node_modules/.bin");
    }

    /**
     * A file of settings for agents in sessions; {@code more} is indented by two for each level.
     */
    Path sessions(String... more) throws IOException {
        return settings(
                "egress:",
                "  upstream: http://127.0.0.1:" + above.port(),
                "  extra_ca: [" + installation.file("models/ca.pem") + "]",
                String.join("\n", more));
    }

    /** The same, where the settings have the address of a model and a port of its own. */
    Path sessionsWithAddressOf(AgentCli cli) throws IOException {
        String port = ":" + models.port();
        return settings(
                "egress:",
                "  hosts: {" + cli.host + ": 127.0.0.1}",
                "  extra_ca: [" + installation.file("models/ca.pem") + "]",
                "external_agent:",
                "  backends:",
                "    " + cli.backend + ":",
                "      base_url: https://" + cli.host + port,
                "      allowed_egress: ['" + cli.host + port + "', '127.0.0.1" + port + "']");
    }

    /** A file of settings for agents as plain processes. */
    Path plainProcesses() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("external_agent:");
        lines.add("  default_sandbox_tier: 0");
        lines.add("  backends:");
        for (AgentCli cli : AgentCli.values()) {
            lines.add("    " + cli.backend + ":");
            lines.add("      base_url: http://127.0.0.1:" + plainModels.port());
        }
        return settings(lines.toArray(String[]::new));
    }

    private Path settings(String... lines) throws IOException {
        Path file = Files.createTempFile(installation.file("."), "carrel", ".yaml");
        return Files.writeString(file, String.join("\n", lines) + "\n");
    }

    /** What a name of an object stands for: the first text of this name. */
    static String text(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        if (!found.find()) {
            throw new AssertionError("no " + name + " in " + json);
        }
        return found.group(1);
    }

    /** {@code carrel agent} with the key of the models in its environment. */
    Answer agent(Path settings, AgentCli cli, String... words) throws Exception {
        return installation.answer(prepared(settings, cli, ModelServer.KEY, words));
    }

    ProcessBuilder prepared(Path settings, AgentCli cli, String key, String... words)
            throws IOException {
        List<String> argv = new ArrayList<>(List.of(Installation.program(), "agent", cli.backend));
        argv.addAll(List.of(words));
        ProcessBuilder builder = installation.prepared(argv.toArray(String[]::new));
        Map<String, String> environment = builder.environment();
        environment.put("CARREL_CONFIG", settings.toString());
        environment.put(cli.key, key);
        environment.put("PATH", programs() + ":" + environment.get("PATH"));
        return builder;
    }

    /** The hosts and ports that came through Carrel's proxy, since its rules allow them. */
    List<String> askedAbove() {
        return above.asked();
    }

    void close() throws Exception {
        above.close();
        models.close();
        plainModels.close();
        installation.close();
    }
}
