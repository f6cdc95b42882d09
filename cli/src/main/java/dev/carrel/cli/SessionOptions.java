package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.SessionSettings;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionRequest.MountRequest;
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
        return committedOnly
                || name.isPresent()
                || !(repos.isEmpty()
                        && mounts.isEmpty()
                        && includes.isEmpty()
                        && settings.isEmpty());
    }

    /**
     * The request; all problems of all options at once.
     *
     * @param allowed hosts that can be reached besides those of the settings
     */
    SessionRequest request(Context context, AllowOption allowed) {
        List<String> problems = new ArrayList<>();
        List<MountRequest> mounted = new ArrayList<>();
        for (String text : mounts) {
            collect(problems, () -> mounted.add(MountWord.parse(text, context.directory())));
        }
        List<Setting> written = new ArrayList<>();
        for (String text : settings) {
            collect(problems, () -> written.add(setting(text)));
        }
        List<SessionSettings> read = new ArrayList<>();
        RepoChoice choice = RepoChoice.of(context, repos);
        ConfigReport.tell(context, choice);
        collect(
                problems,
                () ->
                        read.add(
                                SessionSettings.of(
                                        choice.configuration().settings(),
                                        written,
                                        allowed.settings())));
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        SessionSettings meant = read.getFirst();
        List<String> included = new ArrayList<>(meant.include());
        included.addAll(includes);
        return new SessionRequest(
                choice.repos(),
                name,
                meant.sandbox(),
                meant.uncommitted() && !committedOnly,
                included,
                mounted);
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
