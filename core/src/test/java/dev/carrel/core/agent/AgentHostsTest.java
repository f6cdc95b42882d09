package dev.carrel.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.adapter.AgentAdapter;
import dev.carrel.core.failure.InvalidInputException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentHostsTest {

    private static final AgentAdapter.Service SERVICE =
            new AgentAdapter.Service(List.of("api.example"), List.of("KEY"));

    private static List<String> allowed(
            Optional<List<String>> listed, List<String> more, String... baseUrl) {
        return AgentHosts.of("x", SERVICE, listed, more, List.of(baseUrl).stream().findFirst())
                .allowed()
                .stream()
                .map(Object::toString)
                .toList();
    }

    @Test
    void theUsualHostsHoldWhereNothingIsSaid() {
        assertThat(allowed(Optional.empty(), List.of())).containsExactly("api.example");
        assertThat(allowed(Optional.empty(), List.of("b.example")))
                .containsExactly("api.example", "b.example");
    }

    @Test
    void aListReplacesThemAndAPlusAdds() {
        assertThat(allowed(Optional.of(List.of("b.example")), List.of()))
                .containsExactly("b.example");
        assertThat(allowed(Optional.of(List.of("+b.example", "c.example")), List.of()))
                .containsExactly("api.example", "b.example", "c.example");
        assertThat(allowed(Optional.of(List.of()), List.of())).isEmpty();
    }

    @Test
    void anotherServiceTakesTheirPlace() {
        assertThat(allowed(Optional.empty(), List.of(), "https://gate.example/v1"))
                .containsExactly("gate.example");
        assertThat(allowed(Optional.empty(), List.of(), "https://gate.example:8443/v1"))
                .containsExactly("gate.example:8443");
        AgentHosts local =
                AgentHosts.of(
                        "x",
                        SERVICE,
                        Optional.empty(),
                        List.of(),
                        Optional.of("http://127.0.0.1:8080"));
        assertThat(local.allowed()).isEmpty();
        assertThat(local.ownPort()).hasValue(8080);
    }

    @Test
    void whatIsNeededIsKnownWhateverIsAllowed() {
        AgentHosts hosts =
                AgentHosts.of(
                        "x",
                        SERVICE,
                        Optional.of(List.of("b.example")),
                        List.of(),
                        Optional.empty());
        assertThat(hosts.isNeeded("api.example", 443)).isTrue();
        assertThat(hosts.isNeeded("b.example", 443)).isFalse();
        assertThat(hosts.isNeeded("\\x00 no host", 443)).isFalse();
    }

    @Test
    void whatItMayReachWasDeniedToAnother() {
        AgentHosts hosts =
                AgentHosts.of("x", SERVICE, Optional.empty(), List.of(), Optional.empty());
        assertThat(hosts.covers("api.example:443")).isTrue();
        assertThat(hosts.covers("api.example:8080")).isFalse();
        assertThat(hosts.covers("b.example:443")).isFalse();
    }

    @Test
    void anotherPortOfANeededHostIsNotNeeded() {
        AgentHosts hosts =
                AgentHosts.of("x", SERVICE, Optional.empty(), List.of(), Optional.empty());
        assertThat(hosts.isNeeded("api.example", 8080)).isFalse();
    }

    @Test
    void wrongHostsAreNamedTogetherWithTheirSetting() {
        assertThatThrownBy(
                        () -> allowed(Optional.of(List.of("*", "ok.example", "*.com")), List.of()))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong ->
                                assertThat(wrong.problems())
                                        .hasSize(2)
                                        .allMatch(text ->
                                                text.startsWith(
                                                        "external_agent.backends.x.allowed_egress: ")));
        assertThatThrownBy(
                        () -> allowed(Optional.empty(), List.of(), "https://me:pw@gate.example/"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageNotContaining("pw@");
    }
}
