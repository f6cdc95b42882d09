package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether a user without privileges and without further groups can get at a file, judged by
 * permission bits. Access control lists are not looked at; they rarely take away what the bits
 * give.
 */
final class Reach {

    static final int READ = 4;
    static final int EXECUTE = 1;

    private Reach() {}

    /** What is in the way to this path, its links followed; empty if nothing is. */
    static Optional<String> obstacle(HostFiles files, Path path, Owner user, int wanted) {
        Optional<Path> resolved = files.resolve(path);
        if (resolved.isEmpty()) {
            return Optional.of("'" + path + "' does not exist");
        }
        Path target = resolved.get();
        Optional<String> above = aboveOf(files, target, user);
        if (above.isPresent()) {
            return above;
        }
        boolean directory = files.isDirectory(target);
        int bits = directory ? READ | EXECUTE : wanted;
        return allows(files, target, user, bits)
                ? Optional.empty()
                : Optional.of(
                        "uid "
                                + user.uid()
                                + " has no access to '"
                                + target
                                + "' ("
                                + mode(files, target)
                                + ")");
    }

    /** What keeps a user from entering a directory, whatever lies in it. */
    static Optional<String> entering(HostFiles files, Path directory, Owner user) {
        Optional<Path> resolved = files.resolve(directory);
        return resolved.isEmpty()
                ? Optional.of("'" + directory + "' does not exist")
                : aboveOf(files, resolved.get().resolve("any"), user);
    }

    private static Optional<String> aboveOf(HostFiles files, Path target, Owner user) {
        for (Path above = target.getParent(); above != null; above = above.getParent()) {
            if (!allows(files, above, user, EXECUTE)) {
                return Optional.of(
                        "uid "
                                + user.uid()
                                + " may not enter '"
                                + above
                                + "' ("
                                + mode(files, above)
                                + ")");
            }
        }
        return Optional.empty();
    }

    private static boolean allows(HostFiles files, Path path, Owner user, int wanted) {
        return files.look(path).filter(entry -> allows(entry, user, wanted)).isPresent();
    }

    private static boolean allows(HostFiles.Entry entry, Owner user, int wanted) {
        int shift = entry.uid() == user.uid() ? 6 : entry.gid() == user.gid() ? 3 : 0;
        return ((entry.mode() >> shift) & wanted) == wanted;
    }

    private static String mode(HostFiles files, Path path) {
        return files.look(path)
                .map(entry -> "mode " + octal(entry.mode()) + ", owner " + entry.uid())
                .orElse("unreadable");
    }

    /** Four digits. A format would cost a program that starts more than all else here. */
    private static String octal(int mode) {
        return Integer.toOctalString(010000 | mode).substring(1);
    }
}
