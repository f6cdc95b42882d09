package dev.carrel.core.session;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.runtime.RuntimeFiles;
import dev.carrel.core.seccomp.Architecture;
import dev.carrel.core.seccomp.SeccompFilter;
import dev.carrel.core.seccomp.UnixSockets;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.Ownership;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the files of a session. What sandboxed processes write belongs to the sandbox user;
 * everything else belongs to the caller and is out of their reach.
 */
final class SessionFiles {

    private static final byte[] FIFO = "alive".getBytes(StandardCharsets.UTF_8);

    private final SessionLayout layout;
    private final Identity identity;
    private final Ownership owner;

    SessionFiles(SessionLayout layout, Identity identity) {
        this.layout = layout;
        this.identity = identity;
        this.owner = new Ownership(identity.uid(), identity.gid());
    }

    static RuntimeFiles runtime(SessionLayout layout) {
        return new RuntimeFiles(layout.directory(), layout.lock());
    }

    /** Takes the id: the directory appears with its record in it, or not at all. */
    void claim(SessionRecord record) {
        Path aside = layout.directory().resolveSibling(Leftovers.name("new", record.id()));
        SessionLayout making = new SessionLayout(aside);
        try {
            making.createDirectory();
            Json.write(making.record(), SessionFormat.write(record));
            Files.move(aside, layout.directory(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (layout.exists()) {
                throw new ConflictException(
                        "the session id " + record.id() + " was just taken", "Try again.", e);
            }
            throw failed(layout.directory(), e);
        } finally {
            // Still there only if that failed.
            Trees.delete(layout.directory().resolveSibling("."), aside.getFileName().toString());
        }
    }

    /** The last step: what is hidden can be looked for only in bases that are there. */
    void publish(SessionRecord record) {
        List<String> mask = record.policy().mask();
        List<RepoRecord> repos =
                record.repos().stream().map(repo -> Masks.hide(repo, mask, layout)).toList();
        write(record.with(repos).in(new SessionRecord.Phase.Ready()));
    }

    void write(SessionRecord record) {
        Json.write(layout.record(), SessionFormat.write(record));
    }

    void create(SessionRecord record, String userName) {
        layout.createContents(owner);
        RuntimeFiles runtime = runtime(layout);
        layout.createPrivate(runtime.commands());
        runtime.ownedBySandboxUser()
                .forEach(directory -> SessionLayout.createLeaf(directory, owner));
        createFifo(runtime.hold());
        Path etc = SessionView.generated(layout);
        layout.createPassage(etc);
        Map<Path, byte[]> files = new LinkedHashMap<>();
        GeneratedFiles.of(identity, userName(userName))
                .forEach((name, text) ->
                        files.put(etc.resolve(name), text.getBytes(StandardCharsets.UTF_8)));
        List<Path> forEverybody = List.copyOf(files.keySet());
        boolean showsHost = record.policy().view() instanceof ViewMode.HostReadonly;
        if (showsHost || !record.policy().mask().isEmpty()) {
            createNothing();
        }
        Optional<SeccompFilter> filter =
                SeccompFilter.forMode(
                        record.policy().seccomp(),
                        Architecture.current(),
                        showsHost ? UnixSockets.REFUSED : UnixSockets.ALLOWED);
        filter.ifPresent(program -> files.put(filter(), program.program()));
        files.put(layout.lastUsed(), new byte[0]);
        AtomicFile.writeUnseen(files);
        forEverybody.forEach(SessionFiles::showEverybody);
    }

    void create(TrustFiles trust) {
        Path folder = TrustFiles.folder(layout);
        layout.createPassage(folder);
        Map<Path, byte[]> files = new LinkedHashMap<>();
        trust.files().forEach((name, content) -> files.put(folder.resolve(name), content));
        AtomicFile.writeUnseen(files);
        files.keySet().forEach(SessionFiles::showEverybody);
    }

    /** What is shown in place of what is hidden; nobody may open it. */
    private void createNothing() {
        Path directory = SessionView.nothing(layout, true);
        Path file = SessionView.nothing(layout, false);
        layout.createPassage(SessionView.hidden(layout));
        layout.createPrivate(directory);
        AtomicFile.write(file, new byte[0]);
        try {
            for (Path made : List.of(directory, file)) {
                Files.setPosixFilePermissions(made, Set.of());
            }
        } catch (IOException e) {
            throw failed(directory, e);
        }
    }

    /** The name that processes inside have. */
    String userName(String caller) {
        return identity.switched() ? "agent" : caller;
    }

    Path filter() {
        return layout.run().resolve("filter");
    }

    /** A fresh writable layer; its root looks as the root of what lies below it. */
    void createGeneration(RepoRecord repo) {
        layout.createLayer(repo.name(), repo.generation(), owner);
        Path upper = layout.upper(repo.name(), repo.generation());
        try {
            Files.setAttribute(
                    upper,
                    "unix:mode",
                    mode(repo.base().lowers().getFirst()),
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw failed(upper, e);
        }
    }

    private static int mode(Path directory) {
        try {
            return (int) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS)
                    & 0777;
        } catch (IOException e) {
            throw failed(directory, e);
        }
    }

    private void createFifo(Path hold) {
        try (Dir directory = Dir.open(hold)) {
            if (directory.stat(FIFO).isEmpty()) {
                directory.makeFifo(FIFO, 0600);
                if (identity.switched()) {
                    directory.chown(FIFO, identity.uid(), identity.gid());
                }
            }
        }
    }

    private static void showEverybody(Path file) {
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    private static HostOperationException failed(Path path, IOException cause) {
        return new HostOperationException(
                "cannot create " + path + ": " + cause.getMessage(),
                "Check free space and permissions of the state directory.",
                cause);
    }

    /** Names of directories that are about to become a session or have ceased to be one. */
    static final class Leftovers {

        private static final AtomicLong NEXT = new AtomicLong();

        private Leftovers() {}

        /** Another one each time: threads that remove one session must not meet. */
        static String name(String what, SessionId id) {
            return name(what, id.value());
        }

        /** The name under which this process deletes what another one left. */
        static Path renamed(Path abandoned) {
            String name = abandoned.getFileName().toString();
            return abandoned.resolveSibling(
                    name("gone", name.substring(name.lastIndexOf('.') + 1)));
        }

        private static String name(String what, String id) {
            ProcessIdentity self = ProcessIdentity.current();
            return "."
                    + what
                    + NEXT.incrementAndGet()
                    + "."
                    + self.pid()
                    + "."
                    + self.startTime()
                    + "."
                    + id;
        }

        /** Whether it is one, and the process that made it is gone. */
        static boolean isAbandoned(Path directory) {
            String[] parts = directory.getFileName().toString().split("\\.", -1);
            if (parts.length != 5 || !parts[0].isEmpty()) {
                return false;
            }
            try {
                return !new ProcessIdentity(Long.parseLong(parts[2]), Long.parseLong(parts[3]))
                        .isAlive();
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }
}
