package dev.carrel.core.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of cgroups(7), on a tree of ordinary directories. */
class CgroupV2Test {

    private static final ResourceLimits ALL =
            new ResourceLimits(
                    OptionalLong.of(2L << 30),
                    OptionalInt.of(100),
                    Optional.of(new BigDecimal("1.5")),
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    false);

    @TempDir private Path top;
    private final FakeGroups files =
            new FakeGroups(
                    Map.of(
                            "cgroup.procs", "",
                            "cgroup.subtree_control", "",
                            "memory.max", "max",
                            "memory.swap.max", "max",
                            "memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\n",
                            "memory.peak", "123456789",
                            "pids.max", "max",
                            "pids.events", "max 0",
                            "cpu.max", "max 100000",
                            "cpu.stat", "usage_usec 2500000\nuser_usec 1\n"));
    private Path user;
    private Path scope;

    @BeforeEach
    void login() throws Exception {
        files.fill(top);
        user = top.resolve("user");
        files.makeDirectory(user);
        scope = user.resolve("shell.scope");
        files.makeDirectory(scope);
        files.write(user.resolve("cgroup.subtree_control"), "+memory");
        files.write(user.resolve("cgroup.subtree_control"), "+pids");
        files.write(user.resolve("cgroup.subtree_control"), "+cpu");
    }

    private CgroupV2 mechanism() {
        return new CgroupV2(CgroupV2.NAME, scope, top, files);
    }

    @Test
    void groupsAreMadeWhereControllersAreHandedDown() throws Exception {
        ResourceLimits total = ResourceLimits.DEFAULT.withMemory(4L << 30);
        Path group;
        try (Enforcement held = mechanism().enforce("carrel-calm-otter", total, ALL)) {
            Path procs = held.toEnter().getFirst().enter();
            group = Objects.requireNonNull(procs.getParent());
            assertThat(procs).hasFileName("cgroup.procs");
            assertThat(group.getParent()).isEqualTo(user.resolve("carrel-calm-otter"));
            assertThat(group.resolve("memory.max")).hasContent("2147483648");
            assertThat(group.resolve("memory.swap.max")).hasContent("0");
            assertThat(group.resolve("pids.max")).hasContent("102");
            assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
            Path session = Objects.requireNonNull(group.getParent());
            assertThat(session.resolve("cgroup.subtree_control")).hasContent("memory pids cpu");
            assertThat(session.resolve("memory.max")).hasContent("4294967296");
            assertThat(session.resolve("pids.max")).hasContent("max");
            assertThat(held.mechanism()).isEqualTo("cgroup v2");
        }
        assertThat(group.getParent()).doesNotExist();
    }

    @Test
    void theKernelsCountersSayWhatHappened() throws Exception {
        try (Enforcement held = mechanism().enforce("carrel-a", ResourceLimits.NONE, ALL)) {
            assertThat(held.usage())
                    .isEqualTo(
                            new Usage(
                                    OptionalLong.of(123456789),
                                    Optional.of(Duration.ofMillis(2500)),
                                    false,
                                    false));
            Path group = Objects.requireNonNull(held.toEnter().getFirst().enter().getParent());
            Files.writeString(group.resolve("memory.events"), "oom 1\noom_kill 2\n");
            Files.writeString(group.resolve("pids.events"), "max 3");
            assertThat(held.usage().outOfMemory()).isTrue();
            assertThat(held.usage().tooManyProcesses()).isTrue();
        }
    }

    @Test
    void withoutAControllerItIsRefusedAndNothingIsLeft() throws Exception {
        Files.writeString(user.resolve("cgroup.subtree_control"), "pids cpu");
        assertThatThrownBy(() -> mechanism().enforce("carrel-a", ResourceLimits.NONE, ALL))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("hands no memory controller down");
        assertThat(user.resolve("carrel-a")).doesNotExist();
    }

    @Test
    void aValueThatTheKernelDoesNotTakeIsNoticed() throws Exception {
        CgroupV2 deaf =
                new CgroupV2(
                        CgroupV2.NAME,
                        scope,
                        top,
                        new GroupFiles() {
                            @Override
                            public void makeDirectory(Path directory) throws java.io.IOException {
                                files.makeDirectory(directory);
                            }

                            @Override
                            public void removeDirectory(Path directory) throws java.io.IOException {
                                files.removeDirectory(directory);
                            }

                            @Override
                            public void write(Path file, String value) throws java.io.IOException {
                                if (!file.endsWith("pids.max")) {
                                    files.write(file, value);
                                }
                            }
                        });
        assertThatThrownBy(() -> deaf.enforce("carrel-a", ResourceLimits.NONE, ALL))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("pids.max holds 'max' after '102' was written");
        assertThat(user.resolve("carrel-a")).doesNotExist();
    }

    @Test
    void groupsOfDeadProcessesAreSweptAndThoseOfTheLivingAreNot() throws Exception {
        Path session = user.resolve("carrel-a");
        files.makeDirectory(session);
        files.makeDirectory(session.resolve("999999999.1-1"));
        try (Enforcement held = mechanism().enforce("carrel-a", ResourceLimits.NONE, ALL)) {
            mechanism().sweep();
            assertThat(held.toEnter().getFirst().enter()).exists();
            try (var groups = Files.list(session)) {
                assertThat(groups.filter(Files::isDirectory).toList())
                        .isEqualTo(List.of(held.toEnter().getFirst().enter().getParent()));
            }
        }
        assertThat(session).doesNotExist();
    }
}
