package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the settings of a session mean. The one translation from documented names and written values
 * to a policy, whether they come from options or from a file. Everything not set has its documented
 * default; a setting written twice has its last value.
 *
 * @param sandbox the policy
 * @param uncommitted whether uncommitted work of the host checkout is part of the base
 * @param include which git-ignored files are part of the base
 * @param asksForNetwork whether a person has to be asked if commands may use the host's network.
 *     Until one has said so they may not
 */
public record SessionSettings(
        SandboxPolicy sandbox, boolean uncommitted, List<String> include, boolean asksForNetwork) {

    public SessionSettings {
        include = List.copyOf(include);
    }

    /** The same after somebody was asked and said that the host's network may be used. */
    public SessionSettings sharingNetwork() {
        return new SessionSettings(
                sandbox.with(new NetworkAccess.Host()), uncommitted, include, false);
    }

    /**
     * Translates settings.
     *
     * @throws InvalidInputException with all problems: unknown names, each with the nearest known
     *     one, and values that are not allowed, each with those that are
     */
    public static SessionSettings of(List<Setting> settings) {
        return read(settings, List.of());
    }

    private static SessionSettings read(List<Setting> settings, List<Setting> allowed) {
        List<String> problems = new ArrayList<>();
        Map<SettingKey, Setting> wellWritten = new EnumMap<>(SettingKey.class);
        for (Setting setting : settings) {
            Optional<SettingKey> key = SettingKey.named(setting.key());
            Optional<String> problem = problem(setting, key);
            problem.ifPresent(problems::add);
            key.filter(_ -> problem.isEmpty()).ifPresent(k -> wellWritten.put(k, setting));
        }
        Reader reader = new Reader(wellWritten, allowed);
        try {
            SessionSettings read = reader.read();
            if (problems.isEmpty()) {
                return read;
            }
        } catch (InvalidInputException wrong) {
            problems.addAll(wrong.problems());
        }
        throw new InvalidInputException(problems, null);
    }

    /** The same where what was given wins over what files say, also under an old name. */
    public static SessionSettings of(List<Setting> files, List<Setting> given) {
        return of(files, given, List.of());
    }

    /**
     * The same with further rules of {@code egress.allow}, which replace none.
     *
     * @param allowed each with the place where its rules were written, such as {@code --allow}
     */
    public static SessionSettings of(
            List<Setting> files, List<Setting> given, List<Setting> allowed) {
        List<String> replaced = new ArrayList<>();
        for (Setting setting : given) {
            replaced.add(setting.key());
            SettingKey.named(setting.key())
                    .flatMap(SettingKey::newName)
                    .ifPresent(key -> replaced.add(key.key()));
        }
        List<Setting> all = new ArrayList<>(files);
        all.removeIf(setting -> replaced.contains(setting.key()));
        all.addAll(given);
        return read(all, allowed);
    }

    private static Optional<String> problem(Setting setting, Optional<SettingKey> key) {
        String place = setting.place() + " " + setting.key();
        if (key.isEmpty()) {
            return Optional.of(
                    place
                            + ": there is no such setting; did you mean "
                            + Nearest.to(setting.key(), SettingKey.keys())
                            + "?");
        }
        if (key.get().isList()) {
            return Optional.empty();
        }
        if (setting.values().size() != 1) {
            return Optional.of(place + ": it takes one value");
        }
        List<String> choices = key.get().choices();
        String value = setting.values().getFirst();
        return choices.isEmpty() || choices.contains(value)
                ? Optional.empty()
                : Optional.of(
                        place
                                + ": '"
                                + value
                                + "' is not allowed; use one of "
                                + String.join(", ", choices));
    }

    /** Reads settings that are known to be written correctly. */
    private record Reader(Map<SettingKey, Setting> settings, List<Setting> allowed) {

        SessionSettings read() {
            return new SessionSettings(
                    policy(),
                    text(SettingKey.SNAPSHOTS_UNCOMMITTED).orElse("include").equals("include"),
                    list(SettingKey.SNAPSHOTS_INCLUDE).orElse(List.of()),
                    asksForNetwork());
        }

        /** A list of hosts that may be reached is an answer, too. */
        private boolean asksForNetwork() {
            return view() instanceof ViewMode.HostReadonly
                    && hostNetwork().equals("ask")
                    && egress(new ArrayList<>()).isNothing();
        }

        private String hostNetwork() {
            return text(SettingKey.HOST_NETWORK).orElse("ask");
        }

        private SandboxPolicy policy() {
            SandboxPolicy defaults = SandboxPolicy.DEFAULT;
            return new SandboxPolicy(
                    network(),
                    flag(SettingKey.UNSHARE_UTS, defaults.unshareUts()),
                    flag(SettingKey.UNSHARE_CGROUP, defaults.unshareCgroup()),
                    text(SettingKey.HOSTNAME).filter(name -> !name.isEmpty()),
                    flag(SettingKey.NEW_SESSION, defaults.newSession()),
                    text(SettingKey.SECCOMP).map(SeccompMode::parse).orElse(defaults.seccomp()),
                    environmentMode(),
                    list(SettingKey.INHERIT_ENV_VARS)
                            .or(() -> list(SettingKey.ALLOWED_ENV_VARS))
                            .orElse(List.of()),
                    flag(SettingKey.PERSISTENT_HOME, defaults.persistentHome()),
                    flag(SettingKey.SESSION_TMP, defaults.sessionTmp()),
                    list(SettingKey.EXTRA_READ_ONLY).orElse(List.of()).stream()
                            .map(Path::of)
                            .toList(),
                    list(SettingKey.MASK).orElse(List.of()),
                    view(),
                    limits());
        }

        private ResourceLimits limits() {
            List<String> problems = new ArrayList<>();
            ResourceLimits set = new LimitSettings(settings).read(problems);
            if (!problems.isEmpty()) {
                throw new InvalidInputException(problems, null);
            }
            return ResourceLimits.DEFAULT.overriddenBy(set);
        }

        private ViewMode view() {
            ViewMode.HostReadonly defaults = ViewMode.HostReadonly.DEFAULT;
            return text(SettingKey.MODE).orElse("overlay").equals("overlay")
                    ? new ViewMode.Overlay()
                    : new ViewMode.HostReadonly(
                            flag(SettingKey.SCRATCH_OVERLAY, defaults.scratchOverlay()),
                            flag(SettingKey.EXPOSE_HOST_TMP, defaults.exposeHostTmp()),
                            flag(SettingKey.UNSHARE_PID, defaults.unsharePid()),
                            list(SettingKey.HOST_MASK).orElse(List.of()),
                            list(SettingKey.HOST_UNMASK).orElse(List.of()));
        }

        private EgressPolicy egress(List<String> problems) {
            return new EgressSettings(settings, allowed).read(problems);
        }

        /** Each mode has a setting of its own that shares the host's network. */
        private NetworkAccess network() {
            List<String> problems = new ArrayList<>();
            EgressPolicy egress = egress(problems);
            boolean overlay = view() instanceof ViewMode.Overlay;
            boolean shared =
                    overlay ? !flag(SettingKey.UNSHARE_NET, true) : hostNetwork().equals("share");
            if (shared && !egress.isNothing()) {
                problems.add(
                        (overlay
                                        ? place(SettingKey.UNSHARE_NET) + ": false"
                                        : place(SettingKey.HOST_NETWORK) + ": share")
                                + " opens the whole network of the host, which no list of"
                                + " egress narrows; set one of them");
            }
            if (!problems.isEmpty()) {
                throw new InvalidInputException(problems, null);
            }
            return shared ? new NetworkAccess.Host() : new NetworkAccess.Own(egress);
        }

        private String place(SettingKey key) {
            Setting setting = settings.get(key);
            return setting == null ? key.key() : setting.place() + " " + key.key();
        }

        private EnvironmentMode environmentMode() {
            boolean legacyAll = !flag(SettingKey.CLEARENV, true);
            String fallback = legacyAll ? "inherit_all" : "minimal";
            return text(SettingKey.ENV_MODE).orElse(fallback).equals("minimal")
                    ? EnvironmentMode.MINIMAL
                    : EnvironmentMode.INHERIT_ALL;
        }

        private boolean flag(SettingKey key, boolean byDefault) {
            return text(key).map("true"::equals).orElse(byDefault);
        }

        private Optional<String> text(SettingKey key) {
            return list(key).map(List::getFirst);
        }

        private Optional<List<String>> list(SettingKey key) {
            return Optional.ofNullable(settings.get(key)).map(Setting::values);
        }
    }
}
