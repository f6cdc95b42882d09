package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EnvironmentMode;
import dev.carrel.core.policy.SandboxPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CommandEnvironmentTest {

    private static final Map<String, String> TRUST = Map.of("JAVA_TOOL_OPTIONS", "-Dtrust");
    private static final Map<String, String> PROXY = Map.of("JAVA_TOOL_OPTIONS", "-Dproxy");

    private static String java(
            EnvironmentMode mode,
            List<String> inherited,
            Map<String, String> caller,
            Map<String, String> request) {
        SandboxPolicy same = SandboxPolicy.DEFAULT;
        SandboxPolicy policy =
                new SandboxPolicy(
                        same.network(),
                        same.unshareUts(),
                        same.unshareCgroup(),
                        same.hostname(),
                        same.newSession(),
                        same.seccomp(),
                        mode,
                        inherited,
                        same.persistentHome(),
                        same.sessionTmp(),
                        same.extraReadOnly(),
                        same.mask());
        return CommandEnvironment.of(
                        policy, caller, TRUST, PROXY, "user", new SessionId("calm-otter"), request)
                .getOrDefault("JAVA_TOOL_OPTIONS", "none");
    }

    @Test
    void optionsOfJavaThatAreAskedForComeLastAndWin() {
        Map<String, String> own = Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g");
        List<String> name = List.of("JAVA_TOOL_OPTIONS");
        assertThat(java(EnvironmentMode.MINIMAL, List.of(), own, Map.of()))
                .isEqualTo("-Dtrust -Dproxy");
        assertThat(java(EnvironmentMode.MINIMAL, name, own, Map.of()))
                .isEqualTo("-Dtrust -Dproxy -Xmx1g");
        assertThat(java(EnvironmentMode.MINIMAL, List.of(), Map.of(), own))
                .isEqualTo("-Dtrust -Dproxy -Xmx1g");
    }

    @Test
    void optionsOfJavaThatNobodyNamedCannotLeadPastTheProxy() {
        assertThat(
                        java(
                                EnvironmentMode.INHERIT_ALL,
                                List.of(),
                                Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g"),
                                Map.of()))
                .isEqualTo("-Xmx1g -Dtrust -Dproxy");
    }

    @Test
    void emptyOptionsOfJavaReplaceAll() {
        assertThat(
                        java(
                                EnvironmentMode.MINIMAL,
                                List.of(),
                                Map.of(),
                                Map.of("JAVA_TOOL_OPTIONS", "")))
                .isEmpty();
    }
}
