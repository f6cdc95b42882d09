package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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

    private static Setting set(String key, String... values) {
        return new Setting(key, List.of(values), "test");
    }

    private static final Setting HOST = set("mode", "host_readonly");

    @Test
    void theModeThatShowsTheHostHasItsDocumentedDefaults() {
        SessionSettings read = SessionSettings.of(List.of(HOST));

        assertThat(read.sandbox().view())
                .isEqualTo(new ViewMode.HostReadonly(true, true, false, List.of(), List.of()));
        assertThat(read.sandbox().network()).isEqualTo(NetworkAccess.Own.NOTHING);
        assertThat(read.asksForNetwork()).isTrue();
        assertThat(read.sharingNetwork().sandbox().network()).isEqualTo(new NetworkAccess.Host());
        assertThat(SessionSettings.of(List.of()).asksForNetwork()).isFalse();
    }

    @Test
    void everySettingOfTheModeThatShowsTheHostIsRead() {
        SessionSettings read =
                SessionSettings.of(
                        List.of(
                                HOST,
                                set("host_readonly.scratch_overlay", "false"),
                                set("host_readonly.expose_host_tmp", "false"),
                                set("host_readonly.unshare_pid", "true"),
                                set("host_readonly.network", "isolate"),
                                set("host_readonly.mask", "/a", "~/b"),
                                set("host_readonly.unmask", "~/.config/gh")));

        assertThat(read.sandbox().view())
                .isEqualTo(
                        new ViewMode.HostReadonly(
                                false, false, true, List.of("/a", "~/b"), List.of("~/.config/gh")));
        assertThat(read.asksForNetwork()).isFalse();
    }

    @Test
    void eachModeHasItsOwnSettingForTheNetwork() {
        Setting unshared = set("sandbox.unshare_net", "false");
        Setting share = set("host_readonly.network", "share");
        Setting list = set("egress.allow", "example.org");

        assertThat(SessionSettings.of(List.of(HOST, share)).sandbox().network())
                .isEqualTo(new NetworkAccess.Host());
        assertThat(SessionSettings.of(List.of(HOST, unshared)).sandbox().network())
                .isEqualTo(NetworkAccess.Own.NOTHING);
        assertThat(SessionSettings.of(List.of(share)).sandbox().network())
                .isEqualTo(NetworkAccess.Own.NOTHING);
        assertThat(SessionSettings.of(List.of(HOST, list)).asksForNetwork()).isFalse();
        assertThatThrownBy(() -> SessionSettings.of(List.of(HOST, share, list)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("host_readonly.network: share opens the whole network");
    }

    @Test
    void placesOfTheHostAreWholePaths() {
        assertThatThrownBy(() ->
                        SessionSettings.of(List.of(HOST, set("host_readonly.mask", "relative"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("host_readonly.mask: 'relative' is not an absolute path");
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
        assertThat(read())
                .isEqualTo(new SessionSettings(SandboxPolicy.DEFAULT, true, List.of(), false));
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
    void openTheNetworkOfTheHostWholeOrNotAtAll() {
        assertThat(read("sandbox.unshare_net=false").sandbox().network())
                .isEqualTo(new NetworkAccess.Host());
        assertThat(read("sandbox.unshare_net=true").sandbox().network())
                .isEqualTo(NetworkAccess.Own.NOTHING);
        assertThatThrownBy(() -> read("sandbox.unshare_net=false", "egress.allow=example.org"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "--set sandbox.unshare_net: false opens the whole network of the host, which"
                                + " no list of egress narrows; set one of them");
    }

    @Test
    void readWhatIsReached() {
        EgressPolicy egress =
                read(
                                "egress.allow=example.org,tcp://db.example.org:5432",
                                "egress.deny=192.0.2.0/24",
                                "egress.hosts=db.example.org=192.0.2.7",
                                "egress.host_ports=5432,8080",
                                "egress.upstream=http://proxy.example.org:3128",
                                "egress.extra_ca=/etc/company.pem")
                        .sandbox()
                        .network()
                        .egress();

        assertThat(egress.rules())
                .isEqualTo(
                        EgressRules.parse(
                                List.of("example.org", "tcp://db.example.org:5432"),
                                List.of("192.0.2.0/24")));
        assertThat(egress.hosts()).hasSize(1);
        assertThat(egress.hostPorts()).containsExactly(5432, 8080);
        assertThat(egress.upstream()).contains("http://proxy.example.org:3128");
        assertThat(egress.extraCa()).containsExactly(Path.of("/etc/company.pem"));
    }

    @Test
    void sayEveryProblemOfTheNetwork() {
        assertThatThrownBy(() ->
                        read(
                                "egress.allow=*,a b",
                                "egress.hosts=nothing",
                                "egress.host_ports=80,x"))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong ->
                                assertThat(wrong.problems())
                                        .hasSize(5)
                                        .anyMatch(text -> text.startsWith("--set egress.allow: "))
                                        .contains(
                                                "--set egress.hosts: 'nothing' is not NAME=ADDRESS",
                                                "--set egress.host_ports: 'x' is not a port"
                                                        + " number"));
    }

    @Test
    void takeOneValueWhereTheyAreNoList() {
        Setting two = new Setting("session_tmp", List.of("true", "false"), "line 3");

        assertThatThrownBy(() -> SessionSettings.of(List.of(two)))
                .hasMessage("line 3 session_tmp: it takes one value");
    }
}
