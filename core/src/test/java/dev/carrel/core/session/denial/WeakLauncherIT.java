package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.host.Caller;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.session.denial.Attack.Possible;
import dev.carrel.core.testing.Requirements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Proves that each attack bites: where nothing confines it, it succeeds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WeakLauncherIT {

    /** What others would not find where it was after these. */
    private static final Set<String> CHANGES_THE_VIEW =
            Set.of(
                    "mount a tmpfs",
                    "bind a directory",
                    "make a mount writable again",
                    "uncover what lies below /tmp",
                    "exchange the root for another mount");

    private final Map<String, Volley.Shot> shots = new HashMap<>();
    private @Nullable Victims opened;

    static Stream<Attack> attacks() {
        List<Attack> attacks = new ArrayList<>(SandboxDenialIT.attacks().toList());
        attacks.addAll(KernelAttacks.underEnforce());
        attacks.addAll(HostViewAttacks.all());
        boolean root = Caller.current().isRoot();
        return attacks.stream().filter(attack -> root || attack.possible() != Possible.AS_ROOT);
    }

    @BeforeAll
    void open() throws Exception {
        Requirements.bwrap();
        Requirements.program("perl");
        var mount = WeakLauncher.mountInTheWay();
        Requirements.that(
                mount.isEmpty(), "needs /usr and /etc without mounts below them: " + mount);
        Victims victims = new Victims();
        opened = victims;
        Volley volley =
                new Volley(
                        attacks()
                                .filter(attack -> !CHANGES_THE_VIEW.contains(attack.name()))
                                .toList());
        shots.putAll(volley.shots(run(volley.argv(), volley.input()).output()));
    }

    @AfterAll
    void remove() throws Exception {
        if (opened != null) {
            opened.remove();
        }
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void letsItHappen(Attack attack) throws Exception {
        Victims victims = Objects.requireNonNull(opened);
        Volley.Shot shot = shots.get(attack.name());
        if (shot == null) {
            victims.refresh();
            ProcessResult result = run(attack.argv(), new byte[0]);
            shot = new Volley.Shot(result.outputText().strip(), result.errorText());
        }
        String verdict = attack.judge().verdict(shot.output(), victims);
        if (verdict.equals(Attack.DENIED) && attack.possible() == Possible.ON_SOME_MACHINES) {
            // Not even a process that nothing confines can do it here.
            verdict = attack.judge().verdict(unconfined(attack, victims), victims);
            assertThat(verdict).isEqualTo(Attack.DENIED);
            return;
        }
        assertThat(verdict).as(shot.errors()).isEqualTo(Attack.SUCCEEDED);
    }

    private ProcessResult run(List<String> argv, byte[] input) throws Exception {
        return new WeakLauncher(Objects.requireNonNull(opened)).run(argv, input);
    }

    private static String unconfined(Attack attack, Victims victims) throws Exception {
        Command command = Command.of(attack.argv()).in(victims.origin);
        for (var variable : victims.variables().entrySet()) {
            command = command.withVariable(variable.getKey(), variable.getValue());
        }
        return new HostProcessRunner().run(command).outputText().strip();
    }
}
