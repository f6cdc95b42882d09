package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveRulesTest {

    @TempDir Path directory;
    private LiveRules rules;

    @BeforeEach
    void haveASession() throws IOException {
        Path session = Files.createDirectory(directory.resolve("calm-otter"));
        rules =
                new LiveRules(
                        EgressRules.parse(List.of("a.example"), List.of("*.b.example")),
                        session.resolve("egress.json"),
                        session.resolve("lock"));
    }

    private static List<EgressRule> allow(String... texts) {
        return List.of(texts).stream().map(EgressRule::allow).toList();
    }

    private static List<EgressRule> deny(String... texts) {
        return List.of(texts).stream().map(EgressRule::deny).toList();
    }

    @Test
    void whatIsAddedComesOnTopAndGoesAgain() throws InterruptedException {
        rules.allow(allow("c.example", "tcp://d.example:22"));
        rules.deny(deny("a.example"));

        assertThat(rules.now().allow()).hasToString("[a.example, c.example, tcp://d.example:22]");
        assertThat(rules.now().deny()).hasToString("[*.b.example, a.example]");

        rules.reset(List.of("c.example", "a.example"));
        assertThat(rules.added())
                .isEqualTo(new EgressRules(allow("tcp://d.example:22"), List.of()));
        rules.reset(List.of());
        assertThat(rules.now()).isEqualTo(rules.base());
    }

    @Test
    void theLastWordOfTheSameRuleHolds() throws InterruptedException {
        rules.allow(allow("c.example"));
        rules.deny(deny("c.example"));
        assertThat(rules.added().allow()).isEmpty();
        rules.allow(allow("c.example"));
        assertThat(rules.added().deny()).isEmpty();
    }

    @Test
    void whatIsDeniedIsNotAllowedAndTheCureIsSaid() throws InterruptedException {
        assertThatThrownBy(() -> rules.allow(allow("c.example", "x.b.example")))
                .isInstanceOfSatisfying(
                        ConflictException.class,
                        refused -> {
                            assertThat(refused.message())
                                    .startsWith("the rule '*.b.example' denies 'x.b.example'");
                            assertThat(refused.remedy())
                                    .contains("take it out of egress.deny, and make a new session");
                        });
        assertThat(rules.added()).isEqualTo(EgressRules.NONE);

        rules.deny(deny("10.0.0.0/8", "e.example"));
        assertThatThrownBy(() -> rules.requireNotDenied(allow("e.example:443")))
                .isInstanceOfSatisfying(
                        ConflictException.class,
                        refused ->
                                assertThat(refused.remedy())
                                        .contains("carrel egress calm-otter reset e.example"));
    }

    @Test
    void onlyWhatWasAddedCanBeTakenAway() throws InterruptedException {
        rules.allow(allow("c.example"));

        assertThatThrownBy(() -> rules.reset(List.of("a.example", "c.example", "x.example")))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong -> {
                            assertThat(wrong.problems())
                                    .containsExactly(
                                            "no rule 'a.example' was added to this session",
                                            "no rule 'x.example' was added to this session");
                            assertThat(wrong.remedy()).contains("these were: c.example");
                        });
        assertThat(rules.added().allow()).hasToString("[c.example]");
    }
}
