package dev.carrel.core.session;

import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.StateLayout;
import dev.carrel.core.testing.KeptTree;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A workspace folder of its own and small repositories to use sessions on. */
public final class SessionFixture {

    /** What shows that the program of the tests is usable, in one folder as in all others. */
    private static byte @Nullable [] proof;

    public final Path base;
    public final Path state;
    public final Settings settings;
    public final Sessions sessions;
    public final List<String> notices = new ArrayList<>();

    private SessionFixture(Path base, Path bwrap) {
        this.base = base;
        this.state = base.resolve("state");
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("CARREL_BWRAP", bwrap.toString());
        this.settings = new Settings(state, Optional.empty(), environment, base, Retention.DEFAULT);
        this.sessions =
                Sessions.open(
                        settings,
                        event -> {
                            if (event instanceof SessionEvent.Notice(String text)) {
                                notices.add(text);
                            }
                        });
    }

    /** The same folder as seen by another process. */
    static SessionFixture at(Path base, Path bwrap) {
        return new SessionFixture(base, bwrap);
    }

    /** What the sessions have, for tests that stop in the middle of their work. */
    HostTools tools() {
        return new HostTools(
                new HostProcessRunner(),
                settings,
                new StateLayout(state),
                _ -> {},
                new LimitKeeper());
    }

    SessionRecord record(Session session) {
        return SessionFormat.read(tools().layout().session(session.id().value()).record());
    }

    /** Everything in the folder of sessions. */
    List<String> sessionFiles() {
        return SessionDirectories.in(tools().layout().sessions()).stream()
                .map(path -> path.getFileName().toString())
                .toList();
    }

    /** Where a session keeps its files. */
    SessionLayout layout(Session session) {
        return tools().layout().session(session.id().value());
    }

    /** Runs a script that must succeed. */
    String run(Session session, String script) throws InterruptedException {
        CommandResult result =
                session.run(
                        CommandRequest.of("sh", "-c", script)
                                .with(new CommandRequest.Streams.Captured()));
        if (result.exit() != 0) {
            throw new IllegalStateException(result.exit() + ": " + result.errorText());
        }
        return result.outputText();
    }

    /** What a shell script on the host prints; it must succeed. */
    public String shell(String script) throws InterruptedException {
        ProcessResult result = new HostProcessRunner().run(Command.of("sh", "-c", script));
        if (!result.succeeded()) {
            throw new IllegalStateException(result.errorText());
        }
        return result.outputText();
    }

    public static SessionFixture create() throws Exception {
        return in(Files.createTempDirectory("carrel-session"));
    }

    /** In a new directory. */
    static SessionFixture in(Path directory) throws Exception {
        Path base = directory.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        SessionFixture made = new SessionFixture(base, Requirements.bwrap());
        made.prove();
        return made;
    }

    /** Once for all folders: it takes five processes. */
    private void prove() throws Exception {
        HostTools tools = tools();
        tools.layout().create();
        Path file = tools.layout().base().resolve("bwrap-proof");
        synchronized (SessionFixture.class) {
            byte[] known = proof;
            if (known == null) {
                tools.bwrap();
                proof = Files.readAllBytes(file);
            } else {
                Files.write(file, known);
            }
        }
    }

    public Path plain(String name) throws Exception {
        return Files.createDirectory(base.resolve(name));
    }

    /**
     * A repository with one commit of {@code a.txt} and a {@code .gitignore} for {@code ignored}.
     */
    public Path git(String name) throws Exception {
        Path root = plain(name);
        Committed.tree(this).write(root);
        return root;
    }

    /** What git makes of it, once for all. */
    private static final class Committed {

        private static @Nullable KeptTree tree;

        static synchronized KeptTree tree(SessionFixture fixture) throws Exception {
            if (tree == null) {
                Path root = Files.createTempDirectory("carrel-committed");
                try {
                    make(fixture, root);
                    tree = KeptTree.of(root);
                } finally {
                    Trees.delete(root.resolveSibling("."), root.getFileName().toString());
                }
            }
            return tree;
        }

        private static void make(SessionFixture fixture, Path root) throws Exception {
            Files.writeString(root.resolve("a.txt"), "one\n");
            Files.writeString(root.resolve(".gitignore"), "ignored\n");
            fixture.git(root, "init", "-q", "-b", "main");
            Files.writeString(
                    root.resolve(".git/config"),
                    "[user]\n\tname = Test Person\n\temail = test@example.test\n",
                    StandardOpenOption.APPEND);
            fixture.git(root, "add", ".");
            fixture.git(root, "commit", "-q", "-m", "first");
        }
    }

    public String git(Path root, String... arguments) throws Exception {
        List<String> argv = new ArrayList<>(List.of("git", "-C", root.toString()));
        argv.addAll(List.of(arguments));
        ProcessResult result =
                new HostProcessRunner()
                        .run(Command.of(argv).withVariable("GIT_CONFIG_GLOBAL", "/dev/null"));
        if (!result.succeeded()) {
            throw new IllegalStateException(result.errorText());
        }
        return result.outputText();
    }

    public void remove() throws Exception {
        for (SessionSummary summary : sessions.list()) {
            sessions.remove(summary.id().value(), Sessions.Running.END);
        }
        Trees.delete(base.resolveSibling("."), base.getFileName().toString());
    }
}
