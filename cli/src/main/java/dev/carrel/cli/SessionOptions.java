package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.SessionSettings;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.policy.SettingKey;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionRequest.MountRequest;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a new session is made of. */
final class SessionOptions {

    @Option(
            names = "--repo",
            paramLabel = "[NAME=]DIR",
            description =
                    "A repository or plain directory, shown as /workspace/NAME, or the name that the"
                            + " settings give one; may be given more than once. Without it: the"
                            + " repository around the current directory, else those that have a"
                            + " name, else the current directory itself.")
    List<String> repos = List.of();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description =
                    "What the session sees: overlay (copies of repositories), or host_readonly (the"
                            + " whole host, which cannot be written; the current directory can,"
                            + " and what is written goes with the session).")
    Optional<String> mode = Optional.empty();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "A name for the session, besides its id.")
    Optional<String> name = Optional.empty();

    @Option(
            names = "--mount",
            paramLabel = "ro:DIR[:TARGET]",
            description = "Show a file or directory of the host, read-only.")
    List<String> mounts = List.of();

    @Option(
            names = "--include",
            paramLabel = "GLOB",
            description = "Files that git ignores but the session needs: node_modules, .env")
    List<String> includes = List.of();

    @Option(names = "--no-uncommitted", description = "Leave uncommitted work of the checkout out.")
    boolean committedOnly;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting of the session, such as sandbox.seccomp=enforce")
    List<String> settings = List.of();

    /** Whether any of them was given. */
    boolean given() {
        return !repos.isEmpty() || givenBesidesRepos();
    }

    boolean givenBesidesRepos() {
        return committedOnly
                || mode.isPresent()
                || name.isPresent()
                || !(mounts.isEmpty() && includes.isEmpty() && settings.isEmpty());
    }

    /**
     * The request; all problems of all options at once. Nobody is asked for anything.
     *
     * @param allowed hosts that can be reached besides those of the settings
     * @param limits what its commands may use instead of what the settings say
     */
    SessionRequest request(Context context, AllowOption allowed, LimitOptions limits) {
        RepoChoice choice = RepoChoice.of(context, repos);
        return request(context, choice, settings(context, choice, allowed, limits));
    }

    /** The same; where settings leave it to a person at a terminal, that one is asked. */
    SessionRequest requestAsking(Context context, AllowOption allowed, LimitOptions limits)
            throws InterruptedException {
        RepoChoice choice = RepoChoice.of(context, repos);
        SessionSettings meant = settings(context, choice, allowed, limits);
        boolean shares = meant.asksForNetwork() && new NetworkQuestion(context).isAllowed();
        return request(context, choice, shares ? meant.sharingNetwork() : meant);
    }

    private SessionSettings settings(
            Context context, RepoChoice choice, AllowOption allowed, LimitOptions limits) {
        List<String> problems = new ArrayList<>();
        collect(problems, () -> mounts(context));
        List<Setting> written = new ArrayList<>();
        for (String text : settings) {
            collect(problems, () -> written.add(setting(text)));
        }
        mode.ifPresent(word -> written.add(Setting.ofText(SettingKey.MODE.key(), word, "--mode")));
        written.addAll(limits.settings());
        List<SessionSettings> read = new ArrayList<>();
        collect(
                problems,
                () ->
                        read.add(
                                SessionSettings.of(
                                        choice.configuration().settings(),
                                        written,
                                        allowed.settings())));
        boolean hostReadonly = read.stream().anyMatch(SessionOptions::showsHost);
        if (hostReadonly) {
            problems.addAll(onlyOfCopies());
        }
        ConfigReport.tell(context, choice, hostReadonly);
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return read.getFirst();
    }

    private static boolean showsHost(SessionSettings meant) {
        return meant.sandbox().view() instanceof ViewMode.HostReadonly;
    }

    private List<String> onlyOfCopies() {
        List<String> problems = new ArrayList<>();
        if (!repos.isEmpty()) {
            problems.add("mode: host_readonly has no repositories: leave --repo out");
        }
        if (!mounts.isEmpty()) {
            problems.add("mode: host_readonly shows the whole host: leave --mount out");
        }
        if (!includes.isEmpty() || committedOnly) {
            problems.add(
                    "mode: host_readonly copies nothing: leave --include and --no-uncommitted out");
        }
        return problems;
    }

    private List<MountRequest> mounts(Context context) {
        List<String> problems = new ArrayList<>();
        List<MountRequest> mounted = new ArrayList<>();
        for (String text : mounts) {
            collect(problems, () -> mounted.add(MountWord.parse(text, context.directory())));
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return mounted;
    }

    private SessionRequest request(Context context, RepoChoice choice, SessionSettings meant) {
        List<String> included = new ArrayList<>(meant.include());
        included.addAll(includes);
        return new SessionRequest(
                showsHost(meant)
                        ? List.of(new RepoRequest(Optional.empty(), context.directory()))
                        : choice.repos(),
                name,
                meant.sandbox(),
                meant.uncommitted() && !committedOnly,
                included,
                mounts(context));
    }

    private static void collect(List<String> problems, Runnable part) {
        try {
            part.run();
        } catch (InvalidInputException wrong) {
            problems.addAll(wrong.problems());
        } catch (CarrelException other) {
            if (problems.isEmpty()) {
                throw other;
            }
        }
    }

    private static Setting setting(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new InvalidInputException("--set " + text + ": it needs the form KEY=VALUE");
        }
        return Setting.ofText(text.substring(0, equals), text.substring(equals + 1), "--set");
    }
}
