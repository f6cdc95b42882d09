package dev.carrel.core.runtime;

import dev.carrel.core.posix.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds every process of a session, whatever happened to the one that held it: the session's token
 * stands in their mount tables. Namespace numbers alone could name another session.
 */
final class Members {

    private Members() {}

    static List<Member> of(String token) {
        List<Member> members = new ArrayList<>();
        try (DirectoryStream<Path> processes =
                Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                member(process, token).ifPresent(members::add);
            }
        } catch (IOException e) {
            throw new IllegalStateException("/proc cannot be read", e);
        }
        return members;
    }

    private static Optional<Member> member(Path directory, String token) {
        try {
            String mounts =
                    Files.readString(directory.resolve("mountinfo"), StandardCharsets.ISO_8859_1);
            if (!mounts.contains(token)) {
                return Optional.empty();
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        long pid = Long.parseLong(directory.getFileName().toString());
        return ProcessIdentity.of(pid)
                .flatMap(process ->
                        Namespaces.of(pid)
                                .flatMap(namespaces ->
                                        parent(directory)
                                                .map(parent ->
                                                        new Member(process, parent, namespaces))));
    }

    private static Optional<Long> parent(Path directory) {
        try {
            for (String line :
                    Files.readAllLines(directory.resolve("status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("PPid:")) {
                    return Optional.of(Long.parseLong(line.substring(5).strip()));
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /**
     * The members that nobody answers for: not below a supervisor (a member in the session's own
     * mount namespace) whose parent is one of {@code users}. A living user's commands are never
     * among them.
     */
    static List<Member> orphans(
            List<Member> members, Namespaces session, java.util.Set<Long> users) {
        java.util.Map<Long, Member> byPid = new java.util.HashMap<>();
        members.forEach(member -> byPid.put(member.pid(), member));
        return members.stream()
                .filter(member -> !answeredFor(member, byPid, session, users))
                .toList();
    }

    private static boolean answeredFor(
            Member member,
            java.util.Map<Long, Member> byPid,
            Namespaces session,
            java.util.Set<Long> users) {
        Member at = member;
        for (int depth = 0; at != null && depth < 10_000; depth++) {
            if (at.namespaces().equals(session) && users.contains(at.parent())) {
                return true;
            }
            at = byPid.get(at.parent());
        }
        return false;
    }
}
