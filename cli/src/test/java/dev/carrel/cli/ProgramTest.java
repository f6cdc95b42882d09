package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.apply.ApplyConflict;
import dev.carrel.core.apply.LaterRun;
import dev.carrel.core.apply.Operation;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.Change;
import dev.carrel.core.overlay.ChangeKind;
import dev.carrel.core.overlay.ChangeSet;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.process.StandardStream;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandRequest.Streams;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionRequest.MountRequest;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProgramTest {

    private final FakeProgram program = new FakeProgram();
    private final FakeSessions sessions = program.sessions;
    private final Set<StandardStream> terminals = program.terminals;

    private int carrel(String... words) {
        return program.carrel(words);
    }

    private String out() {
        return program.out();
    }

    private String err() {
        return program.err();
    }

    private void changed(String... paths) {
        sessions.changes =
                new ChangeSet(
                        List.of(paths).stream()
                                .map(path ->
                                        new Change(
                                                TreePath.of(path),
                                                ChangeKind.ADDED,
                                                Optional.empty(),
                                                Optional.of(new Entry.RegularFile(0644, 5)),
                                                false,
                                                Optional.empty()))
                                .toList(),
                        List.of(),
                        true);
    }

    @Test
    void runsACommandWhereTheCallerIs() {
        sessions.exit = 7;

        assertThat(carrel("run", "npm", "test", "--foo", "--", "--help")).isEqualTo(7);

        assertThat(sessions.created).containsExactly(SessionRequest.of(Path.of("/src/app")));
        assertThat(sessions.ran)
                .containsExactly(
                        new CommandRequest(
                                List.of("npm", "test", "--foo", "--", "--help"),
                                Map.of(),
                                Optional.of("/src/app/web"),
                                new Streams.Inherited()));
        assertThat(out()).isEmpty();
        assertThat(err()).isEmpty();
    }

    @Test
    void leavesWordsAfterTwoDashesAlone() {
        carrel("run", "--", "--env", "--", "@file", "${x}");

        assertThat(sessions.ran.getFirst().argv()).containsExactly("--env", "--", "@file", "${x}");
    }

    @Test
    void understandsEveryOptionOfRun() {
        int exit =
                carrel(
                        "run",
                        "--repo",
                        "../lib",
                        "--repo=x=/src/y",
                        "--name",
                        "n",
                        "--env",
                        "A=b=c",
                        "--env",
                        "COLOUR",
                        "--env=NONE",
                        "--cwd",
                        "/workspace/x",
                        "--mount",
                        "ro:data",
                        "--mount=ro:/a:/b",
                        "--include",
                        "*.env",
                        "--no-uncommitted",
                        "--set",
                        "session_tmp=false",
                        "--set",
                        "snapshots.include=x,y",
                        "--keep",
                        "make");

        assertThat(exit).isZero();
        SessionRequest request = sessions.created.getFirst();
        assertThat(request.repos())
                .containsExactly(
                        new RepoRequest(Optional.empty(), Path.of("/src/app/lib")),
                        new RepoRequest(Optional.of("x"), Path.of("/src/y")));
        assertThat(request.name()).contains("n");
        assertThat(request.uncommitted()).isFalse();
        assertThat(request.include()).containsExactly("x", "y", "*.env");
        assertThat(request.mounts())
                .containsExactly(
                        new MountRequest(Path.of("/src/app/web/data"), Optional.empty()),
                        new MountRequest(Path.of("/a"), Optional.of("/b")));
        assertThat(request.policy().sessionTmp()).isFalse();
        assertThat(sessions.ran.getFirst().environment())
                .isEqualTo(Map.of("A", "b=c", "COLOUR", "red"));
        assertThat(sessions.ran.getFirst().directory()).contains("/workspace/x");
    }

    @Test
    void namesAllProblemsOfAllOptions() {
        int exit =
                carrel(
                        "session",
                        "new",
                        "--mount",
                        "rw:/a",
                        "--set",
                        "x",
                        "--set",
                        "sandbox.secomp=on",
                        "--set",
                        "session_tmp=maybe");

        assertThat(exit).isEqualTo(2);
        assertThat(err().lines())
                .containsExactly(
                        "carrel: --mount rw:/a: it needs the form ro:DIR or ro:DIR:TARGET",
                        "carrel: --set x: it needs the form KEY=VALUE",
                        "carrel: --set sandbox.secomp: there is no such setting; did you mean sandbox.seccomp?",
                        "carrel: --set session_tmp: 'maybe' is not allowed; use one of true, false");
    }

    @Test
    void removesASessionThatChangedNothing() {
        carrel("run", "true");

        assertThat(sessions.ids).isEmpty();
    }

    @Test
    void keepsASessionThatChangedSomething() {
        changed("a");
        carrel("run", "true");

        assertThat(sessions.ids).containsExactly("calm-otter");
    }

    @Test
    void keepsASessionWhoseChangesCouldNotAllBeSeen() {
        sessions.changes = new ChangeSet(List.of(), List.of(), false);
        carrel("run", "true");

        assertThat(sessions.ids).containsExactly("calm-otter");
    }

    @Test
    void keepsASessionThatAnotherCommandUses() {
        sessions.inUse = true;

        assertThat(carrel("run", "true")).isZero();
        assertThat(sessions.ids).containsExactly("calm-otter");
    }

    @Test
    void removesAndKeepsOnRequest() {
        changed("a");
        carrel("run", "--rm", "true");
        assertThat(sessions.ids).isEmpty();

        sessions.changes = new ChangeSet(List.of(), List.of(), true);
        carrel("run", "--keep", "true");
        assertThat(sessions.ids).containsExactly("calm-otter");
        assertThat(carrel("run", "--keep", "--rm", "true")).isEqualTo(125);
    }

    @Test
    void neverRemovesASessionThatWasThereBefore() {
        sessions.ids.add("brave-heron");

        carrel("run", "--session", "brave", "true");

        assertThat(sessions.created).isEmpty();
        assertThat(sessions.ids).containsExactly("brave-heron");
        assertThat(carrel("run", "--session", "brave", "--name", "x", "true")).isEqualTo(125);
        carrel("run", "--session", "brave", "--rm", "true");
        assertThat(sessions.ids).isEmpty();
    }

    @Test
    void removesASessionWhoseCommandCouldNotStart() {
        sessions.failure = Optional.of(new HostOperationException("no space", "free some"));

        assertThat(carrel("run", "true")).isEqualTo(125);
        assertThat(sessions.ids).isEmpty();
        assertThat(err()).isEqualTo("carrel: no space\n  fix: free some\n");
    }

    @Test
    void treatsTheSessionOfAnInterruptedCommandAsAlways() {
        sessions.interrupted = true;
        assertThat(carrel("run", "true")).isEqualTo(130);
        assertThat(sessions.ids).isEmpty();

        changed("a");
        assertThat(carrel("run", "true")).isEqualTo(130);
        assertThat(sessions.ids).containsExactly("calm-otter");
    }

    @Test
    void saysNothingWithoutATerminal() {
        changed("a");
        carrel("run", "true");

        assertThat(err()).isEmpty();
    }

    @Test
    void saysOnATerminalWhatChangedAndWhatToDo() {
        terminals.add(StandardStream.ERROR);
        changed("a", "b");
        carrel("run", "true");
        assertThat(err().lines())
                .containsExactly(
                        "calm-otter: 2 files changed (2 added)",
                        "carrel diff calm-otter · carrel apply calm-otter · carrel discard calm-otter");

        sessions.changes = new ChangeSet(List.of(), List.of(), true);
        carrel("run", "true");
        assertThat(err()).isEqualTo("calm-otter: no changes; the session is removed\n");
    }

    @Test
    void printsOneObjectAlone() {
        changed("a");
        sessions.exit = 4;
        sessions.hint = Optional.of("mount it");

        assertThat(carrel("run", "--json", "--", "make")).isEqualTo(4);

        assertThat(out())
                .isEqualTo(
                        "{\"session\":\"calm-otter\",\"kept\":true,\"exit\":4,\"durationMillis\":12,"
                                + "\"ending\":{\"how\":\"exited\",\"status\":4},"
                                + "\"limitsHeldBy\":\"cgroup v1\",\"usage\":{},"
                                + "\"changes\":[{\"repo\":\"app\",\"path\":\"a\",\"kind\":\"added\","
                                + "\"after\":{\"type\":\"file\",\"mode\":\"0644\",\"size\":5}}],"
                                + "\"hint\":\"mount it\"}\n");
        assertThat(err()).isEqualTo("carrel: mount it\n");
        assertThat(sessions.ran.getFirst().streams()).isEqualTo(new Streams.OutputToError());
    }

    @Test
    void executesInASessionWhereverItIsNamed() {
        sessions.ids.add("calm-otter");
        carrel("exec", "calm", "--cwd", "src", "--", "ls", "-la", "--", "x");
        carrel("exec", "calm", "ls", "--env");
        carrel("exec", "--env", "A=b", "calm", "--", "ls", "-la");

        assertThat(sessions.ran)
                .extracting(CommandRequest::argv)
                .containsExactly(
                        List.of("ls", "-la", "--", "x"),
                        List.of("ls", "--env"),
                        List.of("ls", "-la"));
        carrel("exec", "calm", "--json", "--", "ls", "--json");
        assertThat(out()).startsWith("{\"session\":\"calm-otter\",\"kept\":true,\"exit\":");
        assertThat(sessions.ran.getLast().streams()).isEqualTo(new Streams.OutputToError());
        assertThat(carrel("exec", "--env", "A=b", "calm", "--cwd", "x", "ls")).isEqualTo(125);
        assertThat(carrel("exec")).isEqualTo(125);
        assertThat(carrel("exec", "calm")).isEqualTo(125);
        assertThat(carrel("exec", "nobody", "--", "ls")).isEqualTo(125);
        assertThat(err())
                .isEqualTo("carrel: there is no session 'nobody'\n  fix: carrel session list\n");
    }

    @Test
    void opensTheCallersShell() {
        sessions.ids.add("calm-otter");

        assertThat(carrel("shell", "calm", "--cwd", "x")).isZero();

        assertThat(sessions.ran.getFirst().argv()).endsWith("carrel-shell", "/bin/zsh");
        assertThat(sessions.ran.getFirst().directory()).contains("x");
    }

    @Test
    void printsTheBareIdOfANewSession() {
        assertThat(carrel("session", "new", "--repo", "/x")).isZero();
        assertThat(out()).isEqualTo("calm-otter\n");
    }

    @Test
    void listsSessions() {
        assertThat(carrel("session", "list", "--json")).isZero();
        assertThat(out()).isEqualTo("[]\n");

        sessions.ids.add("calm-otter");
        carrel("session", "list");
        assertThat(out().lines().toList().get(1)).startsWith("calm-otter  try   /src/app  ");
        assertThat(out()).contains("2.0K  3        stopped, base moved, goes now\n");
        carrel("session", "list", "--ids");
        assertThat(out()).isEqualTo("calm-otter\n");
        carrel("session", "list", "--json");
        assertThat(out())
                .isEqualTo(
                        "[{\"id\":\"calm-otter\",\"name\":\"try\",\"mode\":\"overlay\",\"repos\":[{\"name\":\"app\","
                                + "\"path\":\"/src/app\",\"kind\":\"git\",\"commit\":\"abc\",\"baseMoved\":true}],"
                                + "\"created\":\"2026-01-02T03:04:05.678Z\",\"lastUsed\":\"2026-01-02T03:04:05.678Z\","
                                + "\"expires\":\"2026-02-01T03:04:05.678Z\","
                                + "\"diskBytes\":2048,\"changes\":3,\"state\":\"stopped\",\"baseMoved\":true,"
                                + "\"limits\":{\"memoryBytes\":1073741824,\"pids\":4096}}]\n");
        carrel("session", "show", "calm");
        assertThat(out()).contains("limits     memory 1.0G, pids 4096\n");
    }

    @Test
    void listsIdsWithoutLookingIntoTheSessions() {
        sessions.ids.add("calm-otter");
        sessions.listable = false;

        assertThat(carrel("session", "list", "--ids")).isZero();

        assertThat(out()).isEqualTo("calm-otter\n");
    }

    @Test
    void removesSeveralSessionsAndTriesThemAll() {
        sessions.ids.addAll(List.of("a-b", "c-d"));

        assertThat(carrel("session", "rm", "a-b", "nobody", "c-d", "--json")).isEqualTo(1);

        assertThat(out()).isEqualTo("{\"removed\":[\"a-b\",\"c-d\"]}\n");
        assertThat(sessions.ids).isEmpty();
    }

    @Test
    void listsTheLog() {
        sessions.ids.add("calm-otter");
        carrel("log", "calm");
        assertThat(out().lines().toList().get(1))
                .isEqualTo("2026-01-02T03:04:05Z  1.5s  0     /workspace/app  echo 'a b'");
    }

    @Test
    void choosesFormatAndColourOfADiff() {
        sessions.ids.add("calm-otter");
        carrel("diff", "calm");
        assertThat(out()).isEqualTo("[] false PATCH false\n");
        carrel("diff", "calm", "--stat", "a", "--ignored", "b");
        assertThat(out()).isEqualTo("[a, b] true STAT false\n");
        carrel("diff", "calm", "--name-status", "--color=always");
        assertThat(out()).isEqualTo("[] false NAME_STATUS true\n");
        terminals.add(StandardStream.OUTPUT);
        carrel("diff", "calm");
        assertThat(out()).isEqualTo("[] false PATCH true\n");
        assertThat(carrel("diff", "calm", "--stat", "--json")).isEqualTo(2);
        assertThat(carrel("diff", "calm", "--color=pink")).isEqualTo(2);
    }

    @Test
    void showsNamesOfAnyBytesWithoutLoss() {
        sessions.ids.add("calm-otter");
        sessions.changes =
                new ChangeSet(
                        List.of(
                                new Change(
                                        TreePath.ofBytes(new byte[] {'a', (byte) 0xff}),
                                        ChangeKind.DELETED,
                                        Optional.of(new Entry.Link(new byte[] {'b'})),
                                        Optional.empty(),
                                        false,
                                        Optional.empty())),
                        List.of(),
                        true);
        carrel("diff", "calm", "--json");
        assertThat(out())
                .isEqualTo(
                        "[{\"repo\":\"app\",\"path\":\"a\ufffd\",\"pathBytes\":\"Yf8=\",\"kind\":\"deleted\","
                                + "\"before\":{\"type\":\"symlink\",\"target\":\"b\"}}]\n");
    }

    @Test
    void appliesOrOnlySaysSo() {
        sessions.ids.add("calm-otter");
        sessions.plan =
                FakeSessions.plan(
                        Map.of("app", List.of(new Operation.Remove(TreePath.of("old")))),
                        List.of(),
                        List.of("it stays"),
                        List.of(
                                new LaterRun(
                                        "app", TreePath.of("Makefile"), LaterRun.Category.BUILD)));
        assertThat(carrel("apply", "calm", "--dry-run")).isZero();
        assertThat(out()).isEqualTo("D\told\ncalm-otter: 1 change would be applied\n");
        assertThat(err())
                .isEqualTo("carrel: runs later (build script): app/Makefile\ncarrel: it stays\n");
        assertThat(sessions.applied).isZero();

        assertThat(carrel("apply", "calm")).isZero();
        assertThat(out()).endsWith("1 change applied\n");
        assertThat(sessions.applied).isEqualTo(1);

        assertThat(carrel("undo", "calm")).isZero();
        assertThat(out()).endsWith("1 change undone\n");
        assertThat(sessions.undone).isEqualTo(1);
    }

    @Test
    void namesTheRepositoryOfWhatItAppliesWhereThereAreSeveral() {
        sessions.ids.add("calm-otter");
        sessions.repos = List.of("app", "lib");
        sessions.plan =
                FakeSessions.plan(
                        Map.of("lib", List.of(new Operation.Remove(TreePath.of("old")))),
                        List.of(),
                        List.of(),
                        List.of());

        carrel("apply", "calm", "--dry-run", "lib/old");

        assertThat(out()).startsWith("D\tlib/old\n");
    }

    @Test
    void appliesNothingWhereThereAreConflicts() {
        sessions.ids.add("calm-otter");
        ApplyConflict conflict =
                new ApplyConflict(
                        "app",
                        TreePath.of("a"),
                        "both changed it",
                        Optional.of(new Entry.RegularFile(0644, 1)),
                        Optional.empty(),
                        Optional.of(new Entry.RegularFile(0755, 2048)));
        sessions.plan = FakeSessions.plan(Map.of(), List.of(conflict), List.of(), List.of());
        assertThat(carrel("apply", "calm", "--json")).isEqualTo(1);
        assertThat(out())
                .isEqualTo(
                        "{\"session\":\"calm-otter\",\"applied\":false,\"operations\":[],"
                                + "\"conflicts\":[{\"repo\":\"app\",\"path\":\"a\",\"reason\":\"both changed it\","
                                + "\"base\":{\"type\":\"file\",\"mode\":\"0644\",\"size\":1},"
                                + "\"session\":{\"type\":\"file\",\"mode\":\"0755\",\"size\":2048}}],"
                                + "\"runsLater\":[],\"notices\":[]}\n");
        assertThat(err())
                .startsWith(
                        """
                        carrel: app/a: both changed it
                          base: file 0644, 1B · session: file 0755, 2.0K
                        carrel: nothing was applied, since the repository changed at 1 place
                        """)
                .contains("carrel apply calm-otter --partial");
        assertThat(sessions.applied).isZero();
    }

    @Test
    void writesAPatchAndSaysWhatItCannotCarry() {
        sessions.ids.add("calm-otter");
        assertThat(carrel("apply", "calm", "--patch=-", "src")).isZero();
        assertThat(out()).isEqualTo("patch [src]\n");
        assertThat(err()).isEqualTo("carrel: not in the patch: new empty directory: d/\n");
        assertThat(carrel("apply", "calm", "--patch=-", "--partial")).isEqualTo(2);
    }

    @Test
    void saysHowManyFilesItDiscarded() {
        sessions.ids.add("calm-otter");
        carrel("discard", "calm");
        assertThat(out()).isEqualTo("a\nb\ncalm-otter: the changes of 2 files are discarded\n");
    }

    @Test
    void plansWithoutDoing() {
        sessions.ids.add("calm-otter");
        carrel("plan", "run", "make", "--all");
        assertThat(out()).isEqualTo("plan of [make, --all]\n");
        carrel("plan", "exec", "calm", "--", "make");
        assertThat(out()).isEqualTo("plan of [make]\n");
        assertThat(sessions.created).isEmpty();
        assertThat(sessions.ran).isEmpty();
    }

    @Test
    void refusesTheWholeNetworkBesideAList() {
        assertThat(
                        carrel(
                                "run",
                                "--set",
                                "sandbox.unshare_net=false",
                                "--set",
                                "egress.allow=example.org",
                                "true"))
                .isEqualTo(125);
        assertThat(err()).startsWith("carrel: --set sandbox.unshare_net: false opens the whole");
        assertThat(sessions.created).isEmpty();
    }
}
