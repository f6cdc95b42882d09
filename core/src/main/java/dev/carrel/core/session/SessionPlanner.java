package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.host.HostView;
import dev.carrel.core.host.Identities;
import dev.carrel.core.host.LiveFiles;
import dev.carrel.core.host.OverlaySupport;
import dev.carrel.core.host.Owner;
import dev.carrel.core.host.ToolchainView;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.process.Meanwhile;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.repo.Repos;
import dev.carrel.core.session.SessionRecord.MountRecord;
import dev.carrel.core.session.SessionRecord.Phase;
import dev.carrel.core.snapshot.SnapshotPlan;
import dev.carrel.core.snapshot.SnapshotRequest;
import dev.carrel.core.snapshot.Snapshots;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides how a requested session is made. Reads the host, writes nothing. */
final class SessionPlanner {

    private static final ViewMode OVERLAY = new ViewMode.Overlay();

    private final HostTools tools;
    private final SecureRandom random = new SecureRandom();

    SessionPlanner(HostTools tools) {
        this.tools = tools;
    }

    SessionPlan plan(SessionRequest request) throws InterruptedException {
        if (request.repos().isEmpty()) {
            throw new InvalidInputException("a session needs a repository", "Name one: --repo DIR");
        }
        OverlaySupport.requirePlaceForUppers(tools.layout().base());
        Identity identity = identity(request);
        return switch (request.policy().view()) {
            case ViewMode.Overlay() -> ofRepositories(request, identity);
            case ViewMode.HostReadonly mode -> ofHost(request, identity, mode);
        };
    }

    private SessionPlan ofRepositories(SessionRequest request, Identity identity)
            throws InterruptedException {
        List<Repo> repos = open(request, identity);
        try (Meanwhile<ToolchainView> view =
                Meanwhile.begin(() -> view(request, identity, repos))) {
            return plan(request, identity, repos, view);
        }
    }

    private SessionPlan plan(
            SessionRequest request,
            Identity identity,
            List<Repo> repos,
            Meanwhile<ToolchainView> view)
            throws InterruptedException {
        SessionId id = freeId();
        SessionLayout layout = tools.layout().session(id.value());
        Optional<TrustFiles> trust = TrustFiles.of(request.policy().network().egress());
        List<SnapshotPlan> snapshots = new ArrayList<>();
        List<RepoRecord> records = new ArrayList<>();
        for (Repo repo : repos) {
            SnapshotPlan snapshot = snapshot(request, repo, identity, layout);
            snapshots.add(snapshot);
            records.add(
                    new RepoRecord(
                            repo.name(), repo.root(), kind(repo), snapshot.base(), 1, List.of()));
        }
        ToolchainView found = view.get();
        ToolchainView shown =
                trust.map(files -> files.addedTo(found, found.mounts(), OVERLAY, layout))
                        .orElse(found);
        SessionRecord record = record(request, id, identity, shown, records);
        return new SessionPlan(record, snapshots, steps(record, layout, snapshots, trust));
    }

    private SessionRecord record(
            SessionRequest request,
            SessionId id,
            Identity identity,
            ToolchainView shown,
            List<RepoRecord> repos) {
        return new SessionRecord(
                id,
                request.name(),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                token(),
                identity,
                request.policy(),
                shown,
                repos,
                mounts(request),
                new Phase.Preparing(ProcessIdentity.current()));
    }

    /** A session with the whole host, started in the one directory that is named. */
    private SessionPlan ofHost(
            SessionRequest request, Identity identity, ViewMode.HostReadonly mode) {
        HostLaunch launch = HostLaunch.of(request, tools);
        SessionId id = freeId();
        SessionLayout layout = tools.layout().session(id.value());
        Optional<TrustFiles> trust = TrustFiles.of(request.policy().network().egress());
        ToolchainView found = launch.tools(identity);
        List<Mount> host = List.of(new Mount.ReadOnly(Path.of("/"), new SandboxPath(Path.of("/"))));
        ToolchainView shown =
                trust.map(files -> files.addedTo(found, host, mode, layout)).orElse(found);
        SessionRecord record = record(request, id, identity, shown, List.of(launch.repo()));
        LiveView.hostView(tools, record, mode).requireLaunchable();
        return new SessionPlan(record, List.of(), steps(record, layout, List.of(), trust));
    }

    private List<Step> steps(
            SessionRecord record,
            SessionLayout layout,
            List<SnapshotPlan> snapshots,
            Optional<TrustFiles> trust) {
        SessionFiles files = new SessionFiles(layout, record.identity());
        List<Step> steps = new ArrayList<>();
        NameLinks names = new NameLinks(tools.layout());
        steps.add(
                new Step(
                        "create the session's directory",
                        () -> names.claim(record, () -> files.claim(record))));
        steps.add(
                new Step(
                        "create home, tmp and run",
                        () -> files.create(record, tools.caller().userName())));
        trust.ifPresent(certificates ->
                steps.add(
                        new Step(
                                "write the certificates that are trusted inside",
                                () -> files.create(certificates))));
        snapshots.forEach(snapshot -> steps.addAll(snapshot.steps()));
        for (RepoRecord repo : record.repos()) {
            steps.add(
                    new Step(
                            "create the writable layer of " + repo.name(),
                            () -> files.createGeneration(repo)));
        }
        steps.add(new Step("publish the session", () -> files.publish(record)));
        return steps;
    }

    private Identity identity(SessionRequest request) {
        List<Owner> owners = new ArrayList<>();
        for (SessionRequest.RepoRequest repo : request.repos()) {
            owners.add(owner(repo.directory()));
        }
        return Identities.forRepositories(owners, tools.caller());
    }

    private static Owner owner(Path directory) {
        try {
            Path real = directory.toRealPath();
            return new Owner(
                    (int) Files.getAttribute(real, "unix:uid"),
                    (int) Files.getAttribute(real, "unix:gid"));
        } catch (IOException e) {
            throw new NotFoundException("there is no directory " + directory, null, e);
        }
    }

    private List<Repo> open(SessionRequest request, Identity identity) throws InterruptedException {
        Repos repos = new Repos(tools.runner(), tools.settings().environment());
        List<Repo> opened = new ArrayList<>();
        Map<String, Path> names = new HashMap<>();
        for (SessionRequest.RepoRequest wanted : request.repos()) {
            Repo repo = repos.open(wanted.name(), wanted.directory(), identity);
            Path other = names.putIfAbsent(repo.name(), repo.root());
            if (other != null) {
                throw new InvalidInputException(
                        "two repositories would be called '"
                                + repo.name()
                                + "': "
                                + other
                                + " and "
                                + repo.root(),
                        "Name one of them: --repo NAME=" + repo.root());
            }
            opened.add(repo);
        }
        return opened;
    }

    private SnapshotPlan snapshot(
            SessionRequest request, Repo repo, Identity identity, SessionLayout layout)
            throws InterruptedException {
        return new Snapshots(tools.runner(), tools.settings().environment())
                .plan(
                        new SnapshotRequest(
                                repo,
                                identity,
                                request.uncommitted(),
                                request.include(),
                                tools.layout().snapshots(),
                                layout.repo(repo.name())));
    }

    private ToolchainView view(SessionRequest request, Identity identity, List<Repo> repos) {
        return new HostView(tools.caller(), identity, new LiveFiles())
                .view(
                        request.policy().extraReadOnly(),
                        tools.layout().base(),
                        repos.stream().map(Repo::root).toList());
    }

    private static RepoKind kind(Repo repo) {
        return switch (repo) {
            case Repo.Git _ -> RepoKind.GIT;
            case Repo.Plain _ -> RepoKind.PLAIN;
        };
    }

    private List<MountRecord> mounts(SessionRequest request) {
        List<MountRecord> mounts = new ArrayList<>();
        for (SessionRequest.MountRequest mount : request.mounts()) {
            try {
                Path source = mount.source().toRealPath();
                String target =
                        mount.target()
                                .orElse(mount.source().toAbsolutePath().normalize().toString());
                mounts.add(new MountRecord(source, mountTarget(target)));
            } catch (IOException e) {
                throw new NotFoundException(
                        "there is no file or directory " + mount.source() + " to mount", null, e);
            }
        }
        return mounts;
    }

    /** Places that Carrel fills itself cannot be covered. */
    private static String mountTarget(String target) {
        Path path = SandboxPath.of(target).path();
        for (String taken :
                List.of(
                        "/proc",
                        "/dev",
                        "/run/carrel",
                        "/usr",
                        "/etc",
                        "/workspace",
                        "/tmp",
                        "/home/agent")) {
            if (path.startsWith(taken) || Path.of(taken).startsWith(path)) {
                throw new InvalidInputException(
                        "cannot mount at " + target + ": " + taken + " is part of every sandbox",
                        "Choose another place: --mount ro:DIR:TARGET");
            }
        }
        return target;
    }

    private SessionId freeId() {
        for (int attempt = 0; ; attempt++) {
            SessionId id = SessionNames.propose(random, attempt);
            if (!Files.exists(tools.layout().session(id.value()).directory())) {
                return id;
            }
        }
    }

    private String token() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
