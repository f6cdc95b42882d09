package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The home directories of this machine, whose owners may keep secrets in them. */
record Homes(HostFiles files, Caller caller) {

    /** Homes of system accounts that are part of the system. */
    private static final Set<Path> NONE =
            Set.of(
                    Path.of("/"),
                    Path.of("/bin"),
                    Path.of("/boot"),
                    Path.of("/dev"),
                    Path.of("/etc"),
                    Path.of("/home"),
                    Path.of("/proc"),
                    Path.of("/run"),
                    Path.of("/sbin"),
                    Path.of("/sys"),
                    Path.of("/tmp"),
                    Path.of("/usr"),
                    Path.of("/usr/bin"),
                    Path.of("/usr/games"),
                    Path.of("/usr/sbin"),
                    Path.of("/var"),
                    Path.of("/var/tmp"));

    /** Those of people, root among them, each by its real place; the caller's own are the first. */
    List<Path> ofPeople() {
        Set<Path> homes = new LinkedHashSet<>();
        add(homes, caller.home());
        Optional.ofNullable(caller.environment().get("HOME"))
                .filter(home -> home.startsWith("/") && home.indexOf('\0') < 0)
                .ifPresent(home -> add(homes, Path.of(home)));
        UserDatabase.load(files).homes(true).forEach(home -> add(homes, home));
        Path above = Path.of("/home");
        files.names(above).forEach(name -> add(homes, above.resolve(name)));
        return List.copyOf(homes);
    }

    /** Those of system accounts, which are part of what people look at. */
    List<Path> ofServices() {
        Set<Path> homes = new LinkedHashSet<>();
        UserDatabase.load(files).homes(false).forEach(home -> add(homes, home));
        homes.removeAll(ofPeople());
        return List.copyOf(homes);
    }

    private void add(Set<Path> homes, Path home) {
        files.resolve(home)
                .filter(files::isDirectory)
                .filter(real -> !NONE.contains(real))
                .ifPresent(homes::add);
    }
}
