package dev.carrel.bench;

import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.session.Session;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is done to sessions of a repository of 12,000 files, beside git doing the like. */
record SessionContests(Workbench bench, Path repository, Path workspaces) {

    private static final int FILES = 12_000;
    private static final String WORKTREE = "git worktree add";

    static SessionContests create(Workbench bench) throws Exception {
        return new SessionContests(
                bench, bench.repository("large", FILES), bench.directory().resolve("large-state"));
    }

    Contest firstStart() throws Exception {
        return start(
                "The first session at a commit",
                "12,000 files, up to the end of a first command; each round at a commit that no"
                        + " session was made at before.",
                () -> git("commit", "-q", "--allow-empty", "-m", "next"),
                4);
    }

    Contest nextStart() throws Exception {
        Library.at(bench, workspaces).create(repository);
        return start(
                "A further session at the same commit",
                "12,000 files, up to the end of a first command.",
                Contender.Action.NOTHING,
                10);
    }

    private Contest start(String title, String remark, Contender.Action before, int rounds)
            throws Exception {
        Library library = Library.at(bench, workspaces);
        List<Session> made = new ArrayList<>();
        Path worktree = bench.directory().resolve("worktree");
        return new Contest(
                title,
                remark,
                WORKTREE,
                1,
                rounds,
                List.of(
                        Contender.of(
                                WORKTREE,
                                Contender.Action.NOTHING,
                                () -> git("worktree", "add", "-q", "--detach", worktree.toString()),
                                () -> git("worktree", "remove", "--force", worktree.toString())),
                        Contender.of(
                                "Sessions.create and Session.run",
                                before,
                                () -> {
                                    made.add(library.create(repository));
                                    Library.run(made.getLast(), "/usr/bin/true");
                                },
                                () -> library.remove(made.removeLast()))));
    }

    Contest diff(int changed, int rounds) throws Exception {
        Session session = changedSession(changed);
        Path clone = changedClone(changed);
        Path to = bench.directory().resolve("patch");
        String git = "git diff";
        return new Contest(
                "The diff of " + changed + " changed files",
                "Of 12,000, written to a file.",
                git,
                1,
                rounds,
                List.of(
                        Contender.of(
                                git,
                                () ->
                                        bench.run(
                                                clone,
                                                workspaces,
                                                List.of("git", "diff"),
                                                Redirect.to(to.toFile()))),
                        Contender.of(
                                "Session.printDiff",
                                () -> {
                                    try (OutputStream out = Files.newOutputStream(to)) {
                                        session.printDiff(
                                                List.of(), false, DiffFormat.PATCH, false, out);
                                    }
                                })));
    }

    Contest apply(int changed, int rounds) throws Exception {
        Session session = changedSession(changed);
        Path clone = changedClone(changed);
        Path patch = bench.directory().resolve("patch" + changed);
        bench.run(clone, workspaces, List.of("git", "diff"), Redirect.to(patch.toFile()));
        bench.run(clone, "git", "branch", "base");
        bench.run(clone, "git", "checkout", "-q", "-b", "changed");
        bench.run(clone, "git", "commit", "-qam", "changed");
        Contender.Action restoreClone =
                () -> bench.run(clone, "git", "checkout", "-q", "-f", "base");
        Path worktree = changedClone(changed);
        Path diff = bench.directory().resolve("diff" + changed);
        Path to = bench.directory().resolve("written");
        String git = "git diff, then git apply";
        return new Contest(
                "Applying " + changed + " changed files",
                "Of 12,000, to the checkout that the session was made from, and back by `undo`, which is"
                        + " not timed. With git the same job is `git diff --binary` in a changed work"
                        + " tree and `git apply` in another; `git apply` alone is given the patch, `git"
                        + " checkout` a commit. They write the same files; none can be undone or"
                        + " repeated after a kill in the middle, and none waits for the disk."
                        + " Session.writePatch writes the patch that `git apply` reads.",
                git,
                1,
                rounds,
                List.of(
                        Contender.of(
                                git,
                                restoreClone,
                                () -> {
                                    bench.run(
                                            worktree,
                                            workspaces,
                                            List.of("git", "diff", "--binary"),
                                            Redirect.to(diff.toFile()));
                                    bench.run(clone, "git", "apply", diff.toString());
                                },
                                restoreClone),
                        Contender.of(
                                "git apply of a patch",
                                restoreClone,
                                () -> bench.run(clone, "git", "apply", patch.toString()),
                                restoreClone),
                        Contender.of(
                                "git checkout of a commit",
                                restoreClone,
                                () -> bench.run(clone, "git", "checkout", "-q", "changed"),
                                restoreClone),
                        Contender.of(
                                "Session.apply",
                                Contender.Action.NOTHING,
                                () -> session.apply(List.of(), false),
                                () -> session.undo(false, plan -> {})),
                        Contender.of(
                                "Session.writePatch",
                                () -> {
                                    try (OutputStream out = Files.newOutputStream(to)) {
                                        session.writePatch(List.of(), false, out);
                                    }
                                })));
    }

    private Session changedSession(int changed) throws Exception {
        Session session = Library.at(bench, workspaces).create(repository);
        Library.run(session, "sh", "-c", change(changed));
        return session;
    }

    private Path changedClone(int changed) throws Exception {
        Path clone = Files.createTempDirectory(bench.directory(), "clone");
        bench.run(clone, "git", "clone", "-q", repository.toString(), ".");
        bench.run(clone, "sh", "-c", change(changed));
        return clone;
    }

    /** Spread over all directories. */
    private static String change(int changed) {
        return "git ls-files | awk 'NR % "
                + FILES / changed
                + " == 0 || "
                + changed
                + " == 10000' | head -n "
                + changed
                + " | while IFS= read -r f; do echo changed >>\"$f\"; done";
    }

    private void git(String... words) throws Exception {
        bench.run(repository, workspaces, Workbench.words(List.of("git"), words));
    }
}
