package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.Walk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans the base of a plain directory. */
final class PlainPlanning {

    private static final long BYTES_PER_ENTRY = 4096; // a directory takes a block, a link less
    private static final int MARGIN_PERCENT = 5;
    private static final int PERCENT = 100;

    private final SnapshotRequest request;
    private final Repo.Plain repo;
    private final Identity identity;
    private final ProcessRunner runner;
    private final CopyRules rules;
    private final PrivateLayer layer;

    PlainPlanning(SnapshotRequest request, Repo.Plain repo, ProcessRunner runner) {
        this.request = request;
        this.repo = repo;
        this.identity = request.identity();
        this.runner = runner;
        OriginUser user = OriginUser.of(repo.root(), identity);
        this.rules = new CopyRules(new Readability(user), identity.uid());
        this.layer = new PrivateLayer(request.sessionRepoDirectory());
    }

    SnapshotPlan plan() throws InterruptedException {
        PlainSurvey survey = new PlainSurvey(rules);
        Path near = ForbiddenPlaces.nearestExisting(request.sessionRepoDirectory());
        boolean oneFileSystem;
        try (Dir root = Dir.open(repo.root());
                Dir target = Dir.open(near)) {
            Walk.of(root, survey);
            FileStatus from = root.stat();
            FileStatus to = target.stat();
            oneFileSystem = from.deviceId() == to.deviceId() && from.mountId() == to.mountId();
        }
        BaseMethod method = method(survey, near, oneFileSystem);
        requireSpace(survey, method, near);
        List<String> notices = new ArrayList<>(survey.notices(method));
        if (method == BaseMethod.HARD_LINKS) {
            notices.add(
                    "the base shares its files with "
                            + repo.root()
                            + " by hard links: until the session ends, a program on the host that"
                            + " writes one of them in place changes it in the session too");
        }
        if (!request.include().isEmpty()) {
            notices.add(repo.root() + " is a plain directory: all of it is included anyway");
        }
        return new SnapshotPlan(base(method, notices), steps(method));
    }

    private BaseMethod method(PlainSurvey survey, Path near, boolean oneFileSystem)
            throws InterruptedException {
        Optional<Path> sample = survey.sample().map(repo.root()::resolve);
        if (sample.isPresent() && Reflinks.work(runner, sample.get(), near)) {
            return BaseMethod.REFLINK;
        }
        return oneFileSystem && survey.anyLinkable() ? BaseMethod.HARD_LINKS : BaseMethod.COPY;
    }

    private void requireSpace(PlainSurvey survey, BaseMethod method, Path near) {
        long content =
                switch (method) {
                    case CHECKOUT, COPY -> survey.bytes();
                    case HARD_LINKS -> survey.copiedBytes();
                    case REFLINK, LIVE -> 0;
                };
        long needed = content + survey.entries() * BYTES_PER_ENTRY;
        long usable;
        try {
            usable = Files.getFileStore(near).getUsableSpace();
        } catch (IOException e) {
            throw new HostOperationException("cannot ask for the free space of " + near, null, e);
        }
        if (needed > usable / PERCENT * (PERCENT - MARGIN_PERCENT)) {
            throw new HostOperationException(
                    "a copy of "
                            + repo.root()
                            + " needs "
                            + needed
                            + " bytes ("
                            + survey.entries()
                            + " entries); the file system of "
                            + near
                            + " has "
                            + usable
                            + " free, of which "
                            + MARGIN_PERCENT
                            + " % stay free",
                    "free space there, or name a smaller directory: --repo DIR");
        }
    }

    private Base base(BaseMethod method, List<String> notices) {
        return new Base(
                List.of(layer.base()),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                method,
                method == BaseMethod.HARD_LINKS ? Optional.of(layer.manifest()) : Optional.empty(),
                Optional.empty(),
                notices);
    }

    private List<Step> steps(BaseMethod method) {
        return List.of(
                new Step("clear the private layer", layer::begin),
                new Step("copy the directory", () -> copy(method)),
                new Step(
                        "publish the private layer",
                        () -> layer.publish(repo.root(), identity, false)));
    }

    private void copy(BaseMethod method) {
        Optional<Manifest.Writer> manifest =
                method == BaseMethod.HARD_LINKS
                        ? Optional.of(new Manifest.Writer(layer.manifest()))
                        : Optional.empty();
        try (Dir root = Dir.open(repo.root());
                Dir target = Dir.open(layer.building());
                PlainCopy copy = new PlainCopy(rules, manifest, identity, target)) {
            Walk.of(root, copy);
        } finally {
            manifest.ifPresent(Manifest.Writer::close);
        }
    }
}
