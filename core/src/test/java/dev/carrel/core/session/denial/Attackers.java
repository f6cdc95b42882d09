package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandRequest.Streams;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lets attacks loose on one session: in one volley what can be, the others one by one. */
final class Attackers {

    private final Victims victims;
    private final Session session;
    private final Map<String, Volley.Shot> shots = new HashMap<>();

    Attackers(Victims victims, Session session, List<Attack> attacks) throws Exception {
        this.victims = victims;
        this.session = session;
        victims.refresh();
        Volley volley = new Volley(attacks);
        SessionCommand command = session.start(request(volley.argv(), new Streams.Piped()));
        command.input().write(volley.input());
        command.input().close();
        shots.putAll(volley.shots(command.output().readAllBytes()));
        command.await();
    }

    void assertDenied(Attack attack) throws Exception {
        Volley.Shot shot = shots.get(attack.name());
        if (shot == null) {
            victims.refresh();
            CommandResult result = session.run(request(attack.argv(), new Streams.Captured()));
            shot = new Volley.Shot(result.outputText().strip(), result.errorText());
        }
        assertThat(attack.judge().verdict(shot.output(), victims))
                .as(attack.name() + ": " + shot.errors())
                .isEqualTo(Attack.DENIED);
    }

    private CommandRequest request(List<String> argv, Streams streams) {
        return new CommandRequest(argv, victims.variables(), Optional.empty(), streams);
    }
}
