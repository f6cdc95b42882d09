package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.host.HostReadonlyView;
import dev.carrel.core.host.HostView;
import dev.carrel.core.host.LiveFiles;
import dev.carrel.core.host.ToolchainView;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.repo.RepoName;
import dev.carrel.core.snapshot.Base;
import dev.carrel.core.snapshot.BaseMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a session with the whole host starts.
 *
 * @param directory without links
 */
record HostLaunch(Path directory, HostTools tools) {

    /**
     * Of a request.
     *
     * @throws InvalidInputException if it asks for what only copies of repositories can have
     */
    static HostLaunch of(SessionRequest request, HostTools tools) {
        List<String> problems = new ArrayList<>();
        if (request.repos().size() != 1 || request.repos().getFirst().name().isPresent()) {
            problems.add("a session with mode: host_readonly has no repositories");
        }
        if (!request.mounts().isEmpty()) {
            problems.add(
                    "a session with mode: host_readonly shows the whole host: nothing is to be mounted");
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    problems, "Leave --repo and --mount out, or use --mode overlay.");
        }
        Path named = request.repos().getFirst().directory();
        try {
            Path real = named.toRealPath();
            if (Files.isDirectory(real)) {
                return new HostLaunch(real, tools);
            }
        } catch (IOException e) {
            throw new NotFoundException("there is no directory " + named, null, e);
        }
        throw new NotFoundException(named + " is no directory");
    }

    /** The host's directory below a layer of the session. */
    RepoRecord repo() {
        String name =
                Optional.ofNullable(directory.getFileName()).map(Path::toString).orElse("root");
        return new RepoRecord(
                RepoName.derived(name), directory, RepoKind.SCRATCH, base(), 1, List.of());
    }

    private Base base() {
        return new Base(
                List.of(directory),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                BaseMethod.LIVE,
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** The caller's PATH as it is, and what tools need because HOME is another. */
    ToolchainView tools(Identity identity) {
        LiveFiles files = new LiveFiles();
        ToolchainView usual =
                new HostView(tools.caller(), identity, files)
                        .view(List.of(), tools.layout().base(), List.of());
        return new ToolchainView(
                List.of(),
                HostReadonlyView.programs(tools.caller(), identity, files),
                usual.variables(),
                List.of());
    }
}
