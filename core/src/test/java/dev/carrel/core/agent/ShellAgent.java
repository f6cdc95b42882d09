package dev.carrel.core.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.adapter.AgentAdapter;
import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.adapter.AgentReport;
import dev.carrel.core.adapter.EventParser;
import dev.carrel.core.adapter.Invocation;
import dev.carrel.core.adapter.Launch;
import dev.carrel.core.adapter.TokenUsage;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command line that does what its prompt says: a shell that reads it from standard input. A line
 * {@code say X} of its output is its answer, {@code escaped XX XX} the same in hexadecimal digits,
 * {@code id X} names the conversation, {@code auth} is a key that was refused.
 *
 * @param hosts what it may reach and needs
 * @param refusesRoot whether it does not work as root
 */
record ShellAgent(List<String> hosts, boolean refusesRoot) implements AgentAdapter {

    ShellAgent(List<String> hosts) {
        this(hosts, false);
    }

    static final ShellAgent CLOSED = new ShellAgent(List.of());

    @Override
    public String name() {
        return "shell";
    }

    @Override
    public String program() {
        return "sh";
    }

    @Override
    public String installation() {
        return "apt install dash";
    }

    @Override
    public List<String> testedVersions() {
        return List.of("1");
    }

    @Override
    public long leastMemory() {
        return 64 << 20;
    }

    @Override
    public List<String> codeInRepository() {
        return List.of(".shell-agent");
    }

    @Override
    public Service service(Optional<String> model) {
        return new Service(hosts, List.of("SHELL_AGENT_KEY"));
    }

    @Override
    public Launch launch(Invocation invocation) {
        return new Launch(
                List.of("-s"),
                Map.of(
                        "CONVERSATION",
                        switch (invocation.conversation()) {
                            case Invocation.Conversation.New(String id) -> id;
                            case Invocation.Conversation.Resumed(String id, TokenUsage before) ->
                                    id + "+" + before.output();
                        }),
                Map.of(".config/agent.conf", "quiet\n"),
                invocation.prompt());
    }

    @Override
    public EventParser parser(Invocation invocation) {
        return new Words();
    }

    private static final class Words implements EventParser {

        private String text = "";
        private Optional<String> conversation = Optional.empty();
        private Optional<AgentFailure> failure = Optional.empty();

        @Override
        public List<AgentEvent> line(String line) {
            if (line.startsWith("say ")) {
                text = line.substring(4);
                return List.of(new AgentEvent.Text(text, false));
            }
            if (line.startsWith("escaped ")) {
                byte[] decoded = HexFormat.ofDelimiter(" ").parseHex(line.substring(8));
                text = new String(decoded, UTF_8).strip();
                return List.of(new AgentEvent.Text(text, false));
            }
            if (line.startsWith("id ")) {
                conversation = Optional.of(line.substring(3));
                return List.of(new AgentEvent.Started(line.substring(3), Optional.empty()));
            }
            if (line.equals("auth")) {
                failure =
                        Optional.of(new AgentFailure(AgentFailure.Kind.AUTHENTICATION, "bad key"));
            }
            return List.of();
        }

        @Override
        public Optional<AgentFailure> givenUp() {
            return failure;
        }

        @Override
        public AgentReport finish(int exit, String error) {
            Optional<AgentFailure> how =
                    exit == 0 && !text.isEmpty()
                            ? failure
                            : failure.or(() ->
                                    Optional.of(
                                            new AgentFailure(
                                                    AgentFailure.Kind.AGENT,
                                                    "exit " + exit + ": " + error.strip())));
            TokenUsage usage = new TokenUsage(1, 0, 7, Optional.empty());
            return new AgentReport(how, text, conversation, Optional.empty(), usage, usage);
        }
    }
}
