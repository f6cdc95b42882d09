package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Meanwhile;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.GitAt;
import dev.carrel.core.repo.GitDirectory;
import dev.carrel.core.repo.GitSettings;
import dev.carrel.core.repo.HostGit;
import dev.carrel.core.repo.OriginFiles;
import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.repo.WorkTree;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Plans the base of a git work tree. */
final class GitPlanning {

    /** A commit's time, kept in the range that git's index can hold and clearly in the past. */
    private static final long EARLIEST = 86_400;

    private static final int PAST = 5;

    private final SnapshotRequest request;
    private final Repo.Git repo;
    private final Identity identity;
    private final HostGit git;
    private final ProcessRunner runner;
    private final GitSettings settings;
    private final GitDirectory source;
    private final List<String> notices = new ArrayList<>();

    GitPlanning(SnapshotRequest request, Repo.Git repo, ProcessRunner runner)
            throws InterruptedException {
        this.request = request;
        this.repo = repo;
        this.identity = request.identity();
        this.runner = runner;
        this.git = HostGit.of(runner, OriginUser.of(repo.root(), identity));
        this.settings = repo.settings();
        this.source = GitDirectory.over(repo, OriginFiles.read(git, repo, settings), settings);
    }

    SnapshotPlan plan() throws InterruptedException {
        return repo.commit().isPresent() ? planAt(repo.commit().get()) : planUnborn();
    }

    /** What does not depend on each other is asked for at the same time. */
    private SnapshotPlan planAt(String commit) throws InterruptedException {
        List<String> ofReferences = new ArrayList<>();
        try (var access = Meanwhile.begin(() -> ObjectAccess.find(git, runner, repo, identity));
                var references =
                        Meanwhile.begin(() ->
                                References.read(
                                        git.at(repo.gitDir(), repo.root()),
                                        repo,
                                        commit,
                                        ofReferences));
                WorkTree tree = WorkTree.open(git, repo, source)) {
            LayerContents contents = look(tree);
            refuseMissing(commit, tree.git());
            access.get()
                    .whyCopied()
                    .ifPresent(why -> notices.add("the repository's objects are copied: " + why));
            References found = references.get();
            notices.addAll(ofReferences);
            return planAt(commit, tree.git(), contents, access.get(), found);
        }
    }

    private LayerContents look(WorkTree tree) throws InterruptedException {
        List<String> ofContents = new ArrayList<>();
        try (var contents =
                Meanwhile.begin(() -> LayerContents.look(tree, request, git.user(), ofContents))) {
            new GitNotices(repo, tree.git(), notices).collect(settings);
            LayerContents found = contents.get();
            notices.addAll(ofContents);
            return found;
        }
    }

    private SnapshotPlan planUnborn() throws InterruptedException {
        try (WorkTree tree = WorkTree.open(git, repo, source)) {
            return planUnborn(look(tree));
        }
    }

    private SnapshotPlan planUnborn(LayerContents contents) {
        PrivateLayer layer = new PrivateLayer(request.sessionRepoDirectory());
        PrivateGit own =
                new PrivateGit(
                        git,
                        source,
                        inside(List.of(), new References("", List.of())),
                        new References("", List.of()),
                        Optional.empty(),
                        Optional.empty());
        Base base =
                new Base(
                        List.of(layer.base()),
                        List.of(),
                        Optional.empty(),
                        repo.branch(),
                        Optional.empty(),
                        Optional.empty(),
                        BaseMethod.CHECKOUT,
                        Optional.empty(),
                        Optional.empty(),
                        notices);
        GitSteps steps = new GitSteps(request, layer, own, contents);
        return new SnapshotPlan(base, steps.ofLayer(() -> Long.MIN_VALUE));
    }

    private SnapshotPlan planAt(
            String commit,
            GitAt at,
            LayerContents contents,
            ObjectAccess access,
            References references)
            throws InterruptedException {
        SharedPlace place = new SharedPlace(request.snapshotsDirectory(), key(access), commit);
        List<ObjectMount> mounts = access.mounts(repo, place);
        Optional<String> hidden =
                access.copied() ? Optional.empty() : Optional.of("refs/carrel/" + commit);
        SnapshotRecord record =
                new SnapshotRecord(
                        repo.commonDir(), hidden, commit, time(place, commit, at), git.user());
        SharedCheckout checkout =
                new SharedCheckout(
                        git, identity, place, source, record, access.copied(), settings.partial());
        PrivateLayer layer = new PrivateLayer(request.sessionRepoDirectory());
        PrivateGit own =
                new PrivateGit(
                        git,
                        source,
                        inside(mounts, references),
                        references,
                        Optional.of(commit),
                        Optional.of(place.index()));
        Base base =
                new Base(
                        List.of(layer.base(), place.tree()),
                        mounts,
                        Optional.of(commit),
                        repo.branch(),
                        Optional.of(place.directory()),
                        hidden,
                        BaseMethod.CHECKOUT,
                        Optional.empty(),
                        Optional.of(place.index()),
                        notices);
        GitSteps steps = new GitSteps(request, layer, own, contents);
        return new SnapshotPlan(base, steps.of(repo, git, checkout));
    }

    private GitDirectory inside(List<ObjectMount> mounts, References references) {
        String head =
                repo.branch()
                        .map(branch -> "ref: refs/heads/" + branch)
                        .or(repo::commit)
                        .orElse("ref: refs/heads/main");
        GitDirectory directory =
                source.pointing(head, references.bytes())
                        .borrowing(mounts.stream().map(m -> m.inside().toString()).toList())
                        // Owner, inode and time of change differ inside; git would read every file.
                        .with("core.checkstat", "minimal")
                        .with("core.logallrefupdates", "true");
        for (String name : List.of("user.name", "user.email")) {
            if (settings.value(name).isPresent()) {
                directory = directory.with(name, settings.value(name).get());
            }
        }
        return directory;
    }

    private String key(ObjectAccess access) {
        List<String> fields =
                new ArrayList<>(
                        List.of(
                                repo.commonDir().toString(),
                                repo.objectFormat(),
                                Integer.toString(identity.uid()),
                                Integer.toString(identity.gid()),
                                access.copied() ? "objects" : "mounts"));
        settings.checkout()
                .forEach((name, value) -> {
                    fields.add(name);
                    fields.add(value);
                });
        source.sparse().ifPresent(patterns -> fields.add(HexFormat.of().formatHex(patterns)));
        return SharedPlace.keyOf(fields);
    }

    /** Where the checkout exists, its files have their time already. */
    private static long time(SharedPlace place, String commit, GitAt at)
            throws InterruptedException {
        Optional<SnapshotRecord> made = SnapshotRecord.load(place.directory());
        if (made.isPresent()) {
            return made.get().modified();
        }
        long committed = Long.parseLong(at.text("log", "-1", "--format=%ct", commit));
        long now = Instant.now().getEpochSecond();
        return Math.clamp(committed, EARLIEST, now - PAST);
    }

    /** A partial clone may lack even files of the commit, and nothing is fetched here. */
    private void refuseMissing(String commit, GitAt at) throws InterruptedException {
        if (!settings.partial() || settings.sparse()) {
            return;
        }
        byte[] listed =
                at.run("rev-list", "--objects", "--no-walk", "--missing=print", commit + "^{tree}");
        long missing =
                new String(listed, StandardCharsets.ISO_8859_1)
                        .lines()
                        .filter(line -> line.startsWith("?"))
                        .count();
        if (missing > 0) {
            throw new HostOperationException(
                    "the clone "
                            + repo.root()
                            + " is partial, and "
                            + missing
                            + " objects of its commit "
                            + commit
                            + " are not on this machine",
                    "git -C " + repo.root() + " archive HEAD >/dev/null");
        }
    }
}
