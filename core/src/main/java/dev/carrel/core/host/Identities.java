package dev.carrel.core.host;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Decides under which user the sandboxes of a session run. Reads files only. */
public final class Identities {

    /**
     * The user of sandboxes that root starts, where no ordinary user owns the repositories. Login
     * users end at 60000 (Debian policy 9.2.2, login.defs); systemd hands out 60001 to 60705 (home
     * directories, container users, greeters) and 61184 upwards (dynamic users); Debian's own
     * numbers in between start at 63434. So nobody has this number, and nobody gets it later.
     */
    static final int DEDICATED_UID = 60919;

    /** Chooses another number instead of the dedicated one. */
    public static final String SANDBOX_UID = "CARREL_SANDBOX_UID";

    private static final int FIRST_ORDINARY_UID = 1000;
    private static final int NOBODY = 65534;

    private final Caller caller;
    private final HostFiles files;

    /** For one caller on one machine. */
    public Identities(Caller caller, HostFiles files) {
        this.caller = caller;
        this.files = files;
    }

    /** The identity for repositories of this machine; see {@link #forOwners}. */
    public static Identity forRepositories(List<Owner> owners, Caller caller) {
        return new Identities(caller, new LiveFiles()).forOwners(owners);
    }

    /**
     * An ordinary caller's sandboxes run as the caller, whoever owns the repositories. Root's run
     * as the ordinary user who owns all of them, else under a number that belongs to nobody.
     *
     * @param owners one per repository; may be empty
     * @throws InvalidInputException if root names repositories of different ordinary users, or
     *     {@value #SANDBOX_UID} is not usable
     * @throws UnsupportedHostException if this machine cannot change to that user
     */
    public Identity forOwners(List<Owner> owners) {
        if (!caller.isRoot()) {
            return new Identity(caller.uid(), caller.gid(), false);
        }
        Identity identity = chosen().or(() -> owner(owners)).orElseGet(this::dedicated);
        requireSwitchable(identity);
        return identity;
    }

    private Optional<Identity> chosen() {
        String value = caller.environment().get(SANDBOX_UID);
        if (value == null || value.isEmpty()) {
            return Optional.empty();
        }
        if (!value.matches("[1-9][0-9]{0,8}")) {
            throw new InvalidInputException(
                    SANDBOX_UID + "='" + value + "' is not a user number above 0",
                    "unset it, or set it to a number such as " + DEDICATED_UID);
        }
        int uid = Integer.parseInt(value);
        return Optional.of(new Identity(uid, uid, true));
    }

    private Optional<Identity> owner(List<Owner> owners) {
        List<Owner> ordinary = owners.stream().filter(o -> isOrdinary(o.uid())).distinct().toList();
        if (ordinary.stream().map(Owner::uid).distinct().count() > 1) {
            throw new InvalidInputException(
                    "the repositories belong to different users (uids "
                            + String.join(
                                    ", ",
                                    ordinary.stream().map(o -> "" + o.uid()).distinct().toList())
                            + "), and one session runs as one of them only",
                    "use one session per owner, or set " + SANDBOX_UID + "=" + DEDICATED_UID);
        }
        // One of them is root's or a system account's: neither shall see the other's files.
        boolean mixed = owners.stream().anyMatch(o -> !isOrdinary(o.uid()));
        return mixed || ordinary.isEmpty()
                ? Optional.empty()
                : Optional.of(ordinary.getFirst()).map(this::withOwnGroup);
    }

    /** A checkout may be shared with a powerful group (docker, adm): only the user's own counts. */
    private Identity withOwnGroup(Owner owner) {
        int gid = UserDatabase.load(files).primaryGroup(owner.uid()).orElse(owner.uid());
        return new Identity(owner.uid(), gid > 0 ? gid : owner.uid(), true);
    }

    /** System accounts own services; a sandbox must not get their rights. */
    private static boolean isOrdinary(int uid) {
        return uid >= FIRST_ORDINARY_UID && uid != NOBODY;
    }

    private Identity dedicated() {
        UserDatabase users = UserDatabase.load(files);
        if (users.userName(DEDICATED_UID).isPresent() || users.hasGroup(DEDICATED_UID)) {
            throw new UnsupportedHostException(
                    "sandboxes started by root run under user and group number "
                            + DEDICATED_UID
                            + ", but this machine has a user or group of that number",
                    "set " + SANDBOX_UID + " to a number that nobody uses");
        }
        return new Identity(DEDICATED_UID, DEDICATED_UID, true);
    }

    private void requireSwitchable(Identity identity) {
        if (!files.exists(Path.of("/usr/bin/setpriv"))) {
            throw new UnsupportedHostException(
                    "root's sandboxes run under another user, and /usr/bin/setpriv, which changes"
                            + " to it, is missing",
                    "apt install util-linux");
        }
        if (!isMapped("uid_map", identity.uid()) || !isMapped("gid_map", identity.gid())) {
            throw new UnsupportedHostException(
                    "sandboxes would run as uid "
                            + identity.uid()
                            + ", gid "
                            + identity.gid()
                            + ", which this process cannot become: it runs in a user namespace"
                            + " (a container or 'unshare -r') that does not map them",
                    "set "
                            + SANDBOX_UID
                            + " to a mapped number above 0 (cat /proc/self/uid_map), or run Carrel"
                            + " as an ordinary user");
        }
    }

    private boolean isMapped(String map, int id) {
        List<String> lines = files.lines(Path.of("/proc/self", map));
        return lines.stream().map(line -> line.strip().split("\\s+")).anyMatch(f -> covers(f, id));
    }

    private static boolean covers(String[] fields, int id) {
        long first = Long.parseLong(fields[0]);
        return id >= first && id < first + Long.parseLong(fields[2]);
    }
}
