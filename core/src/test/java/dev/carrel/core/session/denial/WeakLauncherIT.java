package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.host.Caller;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.session.denial.Attack.Possible;
import dev.carrel.core.testing.Requirements;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Proves that each attack bites: where nothing confines it, it succeeds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WeakLauncherIT {

    private @org.jspecify.annotations.Nullable Victims opened;

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
        opened = new Victims();
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
        Victims victims = java.util.Objects.requireNonNull(opened);
        victims.refresh();
        ProcessResult result = new WeakLauncher(victims).run(attack.argv());
        String verdict = attack.judge().verdict(result.outputText().strip(), victims);
        if (verdict.equals(Attack.DENIED) && attack.possible() == Possible.ON_SOME_MACHINES) {
            // Not even a process that nothing confines can do it here.
            verdict = attack.judge().verdict(unconfined(attack, victims), victims);
            assertThat(verdict).isEqualTo(Attack.DENIED);
            return;
        }
        assertThat(verdict).as(result.errorText()).isEqualTo(Attack.SUCCEEDED);
    }

    private static String unconfined(Attack attack, Victims victims) throws Exception {
        Command command = Command.of(attack.argv()).in(victims.origin);
        for (var variable : victims.variables().entrySet()) {
            command = command.withVariable(variable.getKey(), variable.getValue());
        }
        return new HostProcessRunner().run(command).outputText().strip();
    }
}
