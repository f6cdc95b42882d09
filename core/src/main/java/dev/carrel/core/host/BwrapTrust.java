package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether nobody but root and the caller could have written a program or can replace it. It is
 * asked anew at every start: it costs a few look-ups.
 */
record BwrapTrust(HostFiles files, Caller caller) {

    private static final int SETUID_OR_SETGID = 06000;
    private static final int GROUP_WRITE = 020;
    private static final int STICKY = 01000;

    /** Why the resolved path is not trustworthy, in words that can follow its name; or empty. */
    Optional<String> problem(Path resolved) {
        Optional<HostFiles.Entry> found = files.look(resolved);
        if (found.isEmpty()) {
            return Optional.of("does not exist or cannot be looked at");
        }
        HostFiles.Entry program = found.get();
        if (program.kind() != HostFiles.Kind.FILE) {
            return Optional.of("is not a regular file");
        }
        if ((program.mode() & SETUID_OR_SETGID) != 0) {
            return Optional.of("is setuid or setgid (mode %04o)".formatted(program.mode()));
        }
        if ((program.mode() & 0111) == 0) {
            return Optional.of("is not executable (mode %04o)".formatted(program.mode()));
        }
        for (Path path = resolved; path != null; path = path.getParent()) {
            Optional<String> problem = problemOf(path, path.equals(resolved));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private Optional<String> problemOf(Path path, boolean program) {
        Optional<HostFiles.Entry> found = files.look(path);
        if (found.isEmpty()) {
            return Optional.of("lies below '" + path + "', which cannot be looked at");
        }
        HostFiles.Entry entry = found.get();
        String which = program ? "" : "lies below '" + path + "', which ";
        if (entry.uid() != 0 && entry.uid() != caller.uid() && !unknowable(entry.uid())) {
            return Optional.of(which + "belongs to uid " + entry.uid() + ", neither root nor you");
        }
        // In a sticky directory only the owner of a name can replace it.
        boolean sticky = !program && (entry.mode() & STICKY) != 0;
        if (!sticky && (entry.writableByOthers() || writableByForeignGroup(entry))) {
            return Optional.of(which + "is writable by others (mode %04o)".formatted(entry.mode()));
        }
        return Optional.empty();
    }

    private boolean writableByForeignGroup(HostFiles.Entry entry) {
        return (entry.mode() & GROUP_WRITE) != 0
                && entry.gid() != 0
                && !UserDatabase.load(files).isPrivateGroup(entry.gid(), caller.uid());
    }

    /**
     * In a user namespace without the real root every file of the system belongs to the overflow
     * user. Whoever owns the root directory can replace any program, so its owner is taken for
     * root.
     */
    private boolean unknowable(int uid) {
        return uid == overflowUid()
                && files.look(Path.of("/")).filter(root -> root.uid() == uid).isPresent();
    }

    private int overflowUid() {
        return files.lines(Path.of("/proc/sys/kernel/overflowuid")).stream()
                .findFirst()
                .map(String::strip)
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Integer::parseInt)
                .orElse(65534);
    }
}
