package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.PauseOptions;
import dev.carrel.core.posix.ProcessIdentity;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds every process of a session, whatever happened to the one that held it. The session's token
 * stands in their mount tables, and before they have one of their own, among their arguments.
 * Namespace numbers alone could name another session.
 */
final class Members {

    private static final Path SELF = Path.of("/proc/self");
    private static final int SHORT_FILE = 2048;
    private static final String PARENT = "PPid:";

    private final String inside;
    private final String pauseMark;

    Members(String token) {
        this.inside = PauseOptions.bwrapInside(token);
        this.pauseMark = PauseOptions.mark(token);
    }

    List<Member> all() {
        String[] names = new File("/proc").list();
        if (names == null) {
            throw new IllegalStateException("/proc cannot be read");
        }
        List<Member> members = new ArrayList<>();
        Optional<Path> ours = mountNamespace(SELF);
        for (String name : names) {
            if (Character.isDigit(name.charAt(0))) {
                of(Long.parseLong(name), ours).ifPresent(members::add);
            }
        }
        return members;
    }

    /** Empty if the process is none of the session, or dead. */
    Optional<Member> of(long pid) {
        return of(pid, mountNamespace(SELF));
    }

    private Optional<Member> of(long pid, Optional<Path> ours) {
        Path directory = Path.of("/proc", Long.toString(pid));
        // Whole words: who merely looks for the token, as grep does, is no member.
        List<String> words = List.of(text(directory.resolve("cmdline")).split("\0", -1));
        boolean pause = words.contains(pauseMark);
        if (!pause && !words.contains(inside) && !seesSession(directory, ours)) {
            return Optional.empty();
        }
        return ProcessIdentity.of(pid)
                .flatMap(process ->
                        Namespaces.of(pid)
                                .flatMap(namespaces ->
                                        parent(directory)
                                                .map(parent ->
                                                        new Member(
                                                                process,
                                                                parent,
                                                                namespaces,
                                                                pause))));
    }

    /**
     * Whether the session's mounts are there for it. The kernel writes a list of mounts for each
     * reader, which is slow; most processes of a machine share ours, where no session's is.
     */
    private boolean seesSession(Path process, Optional<Path> ours) {
        Optional<Path> mounts = mountNamespace(process);
        return (mounts.isEmpty() || !mounts.equals(ours))
                && text(process.resolve("mountinfo")).contains(inside);
    }

    private static Optional<Path> mountNamespace(Path process) {
        try {
            return Optional.of(Files.readSymbolicLink(process.resolve("ns/mnt")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> parent(Path directory) {
        return text(directory.resolve("status"))
                .lines()
                .filter(line -> line.startsWith(PARENT))
                .map(line -> Long.parseLong(line.substring(PARENT.length()).strip()))
                .findFirst();
    }

    /** Empty where the process is gone, or somebody else's. */
    private static String text(Path file) {
        // There may be hundreds of processes; of all ways to read a file this takes the least time.
        byte[] content = new byte[SHORT_FILE];
        int length = 0;
        try (InputStream stream = new FileInputStream(file.toFile())) {
            int count;
            while ((count = stream.read(content, length, content.length - length)) > 0) {
                length += count;
                if (length == content.length) {
                    content = Arrays.copyOf(content, 2 * length);
                }
            }
            return new String(content, 0, length, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * The members that nobody answers for: not a command, or below one, whose parent is one of
     * {@code users}. A living user's commands are never among them.
     */
    static List<Member> orphans(List<Member> members, Set<Long> users) {
        Map<Long, Member> byPid = new HashMap<>();
        members.forEach(member -> byPid.put(member.pid(), member));
        return members.stream().filter(member -> !answeredFor(member, byPid, users)).toList();
    }

    private static boolean answeredFor(Member member, Map<Long, Member> byPid, Set<Long> users) {
        Member at = member;
        for (int depth = 0; at != null && !at.pause() && depth < 10_000; depth++) {
            if (users.contains(at.parent())) {
                return true;
            }
            at = byPid.get(at.parent());
        }
        return false;
    }

    /**
     * The orphans that belong to no pause either: what a killed supervisor left of a command while
     * the session goes on.
     */
    static List<Member> unsupervised(List<Member> members, Set<Long> users) {
        Map<Long, Member> byPid = new HashMap<>();
        members.forEach(member -> byPid.put(member.pid(), member));
        return orphans(members, users).stream()
                .filter(member -> !belongsToPause(member, byPid))
                .toList();
    }

    private static boolean belongsToPause(Member member, Map<Long, Member> byPid) {
        Member at = member;
        for (int depth = 0; at != null && depth < 10_000; depth++) {
            if (at.pause()) {
                return true;
            }
            at = byPid.get(at.parent());
        }
        return false;
    }
}
