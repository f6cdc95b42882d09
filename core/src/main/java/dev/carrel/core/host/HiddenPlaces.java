package dev.carrel.core.host;

import dev.carrel.core.policy.ViewMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What of the host stays hidden where all else is shown. By real places: a link to a hidden file
 * leads nowhere then, and a hidden link hides what it leads to.
 *
 * @param names every place as its directory knows it, whether it exists or not, and whether it is a
 *     link or not
 * @param existing what is there and no link, and whether it is a directory
 * @param secretFolders directories that hold secrets among other things
 */
record HiddenPlaces(Set<Path> names, Map<Path, Boolean> existing, Set<Path> secretFolders) {

    /** Whether it is in something hidden, or is that itself. */
    boolean covers(Path real) {
        return existing.keySet().stream().anyMatch(real::startsWith);
    }

    /** Looks for them. */
    static final class Search {

        private final HostFiles files;
        private final Caller caller;
        private final Access access;
        private final Set<Path> names = new LinkedHashSet<>();
        private final Map<Path, Boolean> existing = new LinkedHashMap<>();
        private final Set<Path> secretFolders = new LinkedHashSet<>();
        private final List<String> warnings = new ArrayList<>();

        Search(HostFiles files, Caller caller, Access access) {
            this.files = files;
            this.caller = caller;
            this.access = access;
        }

        /** Everything, by the settings of the mode. */
        HiddenPlaces run(ViewMode.HostReadonly mode, Path state) {
            Set<Path> shown = new LinkedHashSet<>();
            mode.unmask().forEach(text -> shown.add(real(expanded(text))));
            Homes homes = new Homes(files, caller);
            homes.ofPeople().forEach(home -> secretsOf(home, shown, true));
            homes.ofServices().forEach(home -> secretsOf(home, shown, false));
            NamedPlaces.secrets(caller.environment()).forEach(place -> secret(place, shown));
            new HostSockets(files, caller.environment()).all().forEach(this::hide);
            new HostPipes(files).all().forEach(this::hide);
            hide(state);
            mode.mask().forEach(text -> hide(expanded(text)));
            return new HiddenPlaces(
                    Set.copyOf(names), new LinkedHashMap<>(existing), Set.copyOf(secretFolders));
        }

        private void secretsOf(Path home, Set<Path> shown, boolean person) {
            Set<String> present = Set.copyOf(files.names(home));
            boolean isListed = !present.isEmpty() || access.lists(home);
            if (person) {
                secretFolders.add(home);
            }
            for (Path place : SecretPlaces.all()) {
                Path secret = home.resolve(place);
                // Most are not there; where the names cannot be listed each has to be looked for.
                if (!isListed || present.contains(place.getName(0).toString())) {
                    secret(secret, shown);
                    if (person) {
                        addFolderOf(secret);
                    }
                } else if (place.getNameCount() == 1
                        && shown.stream().noneMatch(secret::startsWith)) {
                    names.add(secret);
                }
            }
        }

        private void addFolderOf(Path secret) {
            Optional.ofNullable(secret.getParent())
                    .flatMap(files::resolve)
                    .filter(files::isDirectory)
                    .ifPresent(secretFolders::add);
        }

        private void secret(Path place, Set<Path> shown) {
            Path real = real(place);
            if (shown.stream().noneMatch(real::startsWith)) {
                hide(place);
            }
        }

        private void hide(Path place) {
            Optional<Path> name = entry(place);
            name.ifPresent(names::add);
            name.flatMap(files::resolve)
                    .ifPresent(real -> {
                        names.add(real);
                        existing.put(real, files.isDirectory(real));
                    });
        }

        /** The place itself, with what leads to it resolved. */
        private Optional<Path> entry(Path place) {
            Path above = place.getParent();
            Path name = place.getFileName();
            return above == null || name == null
                    ? Optional.empty()
                    : files.resolve(above).map(real -> real.resolve(name));
        }

        private Path real(Path place) {
            return files.resolve(place).or(() -> entry(place)).orElse(place);
        }

        private Path expanded(String text) {
            return (text.startsWith("~/")
                            ? caller.home().resolve(text.substring(2))
                            : Path.of(text))
                    .normalize();
        }

        /** Settings that do nothing, one sentence each. */
        List<String> warnings(ViewMode.HostReadonly mode) {
            for (String text : mode.mask()) {
                if (files.resolve(expanded(text)).isEmpty()) {
                    warnings.add(
                            "host_readonly.mask: '" + text + "' hides nothing: it does not exist");
                }
            }
            if (!mode.unmask().isEmpty()) {
                unmasked(mode.unmask());
            }
            return List.copyOf(warnings);
        }

        private void unmasked(List<String> places) {
            List<Path> secrets = new ArrayList<>(NamedPlaces.secrets(caller.environment()));
            Homes homes = new Homes(files, caller);
            for (Path home : homes.ofPeople()) {
                SecretPlaces.all().forEach(place -> secrets.add(home.resolve(place)));
            }
            for (String text : places) {
                Path shown = real(expanded(text));
                if (secrets.stream().noneMatch(secret -> real(secret).startsWith(shown))) {
                    warnings.add(
                            "host_readonly.unmask: '"
                                    + text
                                    + "' shows nothing more: no place that is hidden by default is"
                                    + " called so");
                }
            }
        }
    }
}
