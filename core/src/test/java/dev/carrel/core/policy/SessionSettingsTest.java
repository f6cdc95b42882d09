package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.FailureCode;
import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionSettingsTest {

    private static SessionSettings read(String... words) {
        List<Setting> settings = new ArrayList<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            settings.add(
                    Setting.ofText(word.substring(0, equals), word.substring(equals + 1), "--set"));
        }
        return SessionSettings.of(settings);
    }

    @Test
    void offersTheFullNameForOneWithoutItsGroup() {
        InvalidInputException wrong =
                catchThrowableOfType(InvalidInputException.class, () -> read("seccomp=off"));

        assertThat(wrong.problems())
                .containsExactly(
                        "--set seccomp: there is no such setting; did you mean sandbox.seccomp?");
    }

    @Test
    void haveTheDocumentedDefaults() {
        assertThat(read()).isEqualTo(new SessionSettings(SandboxPolicy.DEFAULT, true, List.of()));
    }

    @Test
    void setEveryFieldOfThePolicy() {
        SessionSettings read =
                read(
                        "sandbox.unshare_net=true",
                        "sandbox.unshare_uts=true",
                        "sandbox.unshare_cgroup=true",
                        "sandbox.hostname=desk",
                        "sandbox.new_session=true",
                        "sandbox.seccomp=enforce",
                        "sandbox.env_mode=inherit_all",
                        "sandbox.inherit_env_vars=A, B",
                        "sandbox.extra_read_only=/srv/a,/srv/b",
                        "persistent_home=false",
                        "session_tmp=false",
                        "snapshots.include=node_modules,.env",
                        "snapshots.uncommitted=exclude");

        SandboxPolicy policy = read.sandbox();
        assertThat(policy.unshareUts()).isTrue();
        assertThat(policy.unshareCgroup()).isTrue();
        assertThat(policy.hostname()).contains("desk");
        assertThat(policy.newSession()).isTrue();
        assertThat(policy.seccomp()).isEqualTo(SeccompMode.ENFORCE);
        assertThat(policy.environmentMode()).isEqualTo(EnvironmentMode.INHERIT_ALL);
        assertThat(policy.inheritedVariables()).containsExactly("A", "B");
        assertThat(policy.extraReadOnly()).containsExactly(Path.of("/srv/a"), Path.of("/srv/b"));
        assertThat(policy.persistentHome()).isFalse();
        assertThat(policy.sessionTmp()).isFalse();
        assertThat(read.include()).containsExactly("node_modules", ".env");
        assertThat(read.uncommitted()).isFalse();
    }

    @Test
    void turnTheHostNameSpaceOnWithAHostName() {
        assertThat(read("sandbox.hostname=desk").sandbox().unshareUts()).isTrue();
    }

    @Test
    void takeTheLastValue() {
        assertThat(read("sandbox.seccomp=off", "sandbox.seccomp=log").sandbox().seccomp())
                .isEqualTo(SeccompMode.LOG);
    }

    @Test
    void understandTheDeprecatedNames() {
        assertThat(read("sandbox.allowed_env_vars=A").sandbox().inheritedVariables())
                .containsExactly("A");
        assertThat(
                        read("sandbox.allowed_env_vars=A", "sandbox.inherit_env_vars=B")
                                .sandbox()
                                .inheritedVariables())
                .containsExactly("B");
        assertThat(read("sandbox.clearenv=false").sandbox().environmentMode())
                .isEqualTo(EnvironmentMode.INHERIT_ALL);
        assertThat(
                        read("sandbox.clearenv=false", "sandbox.env_mode=minimal")
                                .sandbox()
                                .environmentMode())
                .isEqualTo(EnvironmentMode.MINIMAL);
    }

    @Test
    void nameAllProblemsAtOnce() {
        InvalidInputException wrong =
                catchThrowableOfType(
                        InvalidInputException.class,
                        () ->
                                read(
                                        "sandbox.secomp=log",
                                        "sandbox.env_mode=some",
                                        "sandbox.hostname=a b",
                                        "sandbox.inherit_env_vars=1A",
                                        "sandbox.extra_read_only=relative"));

        assertThat(wrong.problems())
                .containsExactly(
                        "--set sandbox.secomp: there is no such setting; did you mean sandbox.seccomp?",
                        "--set sandbox.env_mode: 'some' is not allowed; use one of minimal, inherit_all",
                        "sandbox.hostname: 'a b' is not a host name (1 to 64 letters, digits, dots and dashes)",
                        "sandbox.inherit_env_vars: '1A' is not the name of an environment variable",
                        "sandbox.extra_read_only: 'relative' is not an absolute path");
    }

    @Test
    void refuseTheNetworkUntilItCanBeLimited() {
        CarrelException refused =
                catchThrowableOfType(
                        CarrelException.class, () -> read("sandbox.unshare_net=false"));

        assertThat(refused.code()).isEqualTo(FailureCode.NOT_YET);
    }

    @Test
    void takeOneValueWhereTheyAreNoList() {
        Setting two = new Setting("session_tmp", List.of("true", "false"), "line 3");

        assertThatThrownBy(() -> SessionSettings.of(List.of(two)))
                .hasMessage("line 3 session_tmp: it takes one value");
    }
}
