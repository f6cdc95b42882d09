import dev.carrel.core.adapter.AgentAdapter;
import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.adapter.AgentReport;
import dev.carrel.core.adapter.EventParser;
import dev.carrel.core.adapter.Invocation;
import dev.carrel.core.adapter.Launch;
import dev.carrel.core.adapter.TokenUsage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The smallest adapter: an "agent" that repeats what it was asked, {@code cat}. */
public final class EchoAgent implements AgentAdapter {

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public String program() {
        return "cat";
    }

    @Override
    public String installation() {
        return "apt-get install coreutils";
    }

    @Override
    public List<String> testedVersions() {
        return List.of("9.1");
    }

    @Override
    public long leastMemory() {
        return 64L << 20;
    }

    /** It asks nobody, and needs no key. */
    @Override
    public Service service(Optional<String> model) {
        return new Service(List.of(), List.of());
    }

    @Override
    public Launch launch(Invocation invocation) {
        return new Launch(List.of(), Map.of(), Map.of(), invocation.prompt());
    }

    @Override
    public EventParser parser(Invocation invocation) {
        return new Answer();
    }

    private static final class Answer implements EventParser {

        private String text = "";

        @Override
        public List<AgentEvent> line(String line) {
            text = line;
            return List.of(new AgentEvent.Text(line, false));
        }

        @Override
        public Optional<AgentFailure> givenUp() {
            return Optional.empty();
        }

        @Override
        public AgentReport finish(int exit, String error) {
            Optional<AgentFailure> failure =
                    exit == 0
                            ? Optional.empty()
                            : Optional.of(new AgentFailure(AgentFailure.Kind.AGENT, error));
            return new AgentReport(
                    failure,
                    text,
                    Optional.empty(),
                    Optional.empty(),
                    TokenUsage.NONE,
                    TokenUsage.NONE);
        }
    }
}
