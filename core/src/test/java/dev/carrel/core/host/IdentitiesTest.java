package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentitiesTest {

    private static final Owner ROOT = new Owner(0, 0);
    private static final Owner ALICE = new Owner(1000, 1000);
    private static final Owner BOB = new Owner(1001, 50);
    private static final Identity DEDICATED =
            new Identity(Identities.DEDICATED_UID, Identities.DEDICATED_UID, true);

    private final InventedFiles files = InventedFiles.system();

    @Test
    void anOrdinaryCallerStaysItselfWhoeverOwnsTheRepositories() {
        Caller alice = new Caller(1000, 1000, "alice", Path.of("/home/alice"), Map.of());

        assertThat(new Identities(alice, files).forOwners(List.of(ROOT, BOB)))
                .isEqualTo(new Identity(1000, 1000, false));
    }

    @Test
    void rootBecomesTheOrdinaryOwnerWithTheOwnersOwnGroup() {
        assertThat(root(Map.of()).forOwners(List.of(BOB, BOB)))
                .isEqualTo(new Identity(1001, 100, true));
    }

    @Test
    void rootBecomesNobodysNumberWhereNoOrdinaryUserOwnsEverything() {
        assertThat(root(Map.of()).forOwners(List.of())).isEqualTo(DEDICATED);
        assertThat(root(Map.of()).forOwners(List.of(ROOT))).isEqualTo(DEDICATED);
        assertThat(root(Map.of()).forOwners(List.of(new Owner(33, 33)))).isEqualTo(DEDICATED);
        assertThat(root(Map.of()).forOwners(List.of(new Owner(65534, 65534)))).isEqualTo(DEDICATED);
        assertThat(root(Map.of()).forOwners(List.of(ROOT, ALICE))).isEqualTo(DEDICATED);
    }

    @Test
    void rootCannotMixOrdinaryOwners() {
        assertThatThrownBy(() -> root(Map.of()).forOwners(List.of(ALICE, BOB)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("1000, 1001");
    }

    @Test
    void theVariableChoosesAnotherNumber() {
        assertThat(root(Map.of("CARREL_SANDBOX_UID", "1000")).forOwners(List.of(ALICE, BOB)))
                .isEqualTo(new Identity(1000, 1000, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "alice", "1000 ", "00", "4294967296"})
    void theVariableIsRefusedWhereItIsNoUsableNumber(String value) {
        assertThatThrownBy(() -> root(Map.of("CARREL_SANDBOX_UID", value)).forOwners(List.of()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("CARREL_SANDBOX_UID='" + value + "'");
    }

    @Test
    void theDedicatedNumberIsRefusedWhereSomebodyHasIt() {
        files.text("/etc/group", "odd:x:" + Identities.DEDICATED_UID + ":");

        assertThatThrownBy(() -> root(Map.of()).forOwners(List.of()))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("user or group of that number");
    }

    @Test
    void refusesWhereTheUserNamespaceDoesNotMapTheNumber() {
        files.text("/proc/self/uid_map", "         0       1000          1");

        assertThatThrownBy(() -> root(Map.of()).forOwners(List.of()))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("user namespace");
    }

    @Test
    void refusesWithoutTheProgramThatChangesTheUser() {
        InventedFiles bare = new InventedFiles().text("/proc/self/uid_map", "0 0 4294967295");

        assertThatThrownBy(() -> new Identities(rootCaller(Map.of()), bare).forOwners(List.of()))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("setpriv");
    }

    private Identities root(Map<String, String> environment) {
        return new Identities(rootCaller(environment), files);
    }

    private static Caller rootCaller(Map<String, String> environment) {
        return new Caller(0, 0, "root", Path.of("/root"), environment);
    }
}
