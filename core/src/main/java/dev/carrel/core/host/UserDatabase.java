package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The local user and group files. Users of a directory service are not seen: asking for them would
 * need a process, and nothing here relies on their absence.
 */
public final class UserDatabase {

    private final List<String[]> users;
    private final List<String[]> groups;

    private UserDatabase(List<String> passwd, List<String> group) {
        users =
                passwd.stream()
                        .map(line -> line.split(":", -1))
                        .filter(f -> f.length >= 7)
                        .toList();
        groups =
                group.stream().map(line -> line.split(":", -1)).filter(f -> f.length >= 4).toList();
    }

    /** Reads {@code /etc/passwd} and {@code /etc/group}; a missing file has no entries. */
    public static UserDatabase load(HostFiles files) {
        return new UserDatabase(
                files.lines(Path.of("/etc/passwd")), files.lines(Path.of("/etc/group")));
    }

    /** The name of a user number. */
    public Optional<String> userName(int uid) {
        return user(uid).map(fields -> fields[0]);
    }

    /** The home directory of a user number. */
    public Optional<Path> home(int uid) {
        return user(uid)
                .map(fields -> fields[5])
                .filter(home -> home.startsWith("/"))
                .map(Path::of);
    }

    /** The home directories of people, or those of system accounts. */
    List<Path> homes(boolean people) {
        return users.stream()
                .filter(fields -> isPerson(fields[2]) == people)
                .map(fields -> fields[5])
                .filter(home -> home.startsWith("/") && home.indexOf('\0') < 0)
                .map(Path::of)
                .distinct()
                .toList();
    }

    private static boolean isPerson(String uid) {
        return uid.equals("0") || uid.matches("[1-9][0-9]{3,9}");
    }

    /** The primary group of a user number. */
    public Optional<Integer> primaryGroup(int uid) {
        return user(uid)
                .map(fields -> fields[3])
                .filter(gid -> gid.matches("[0-9]{1,9}"))
                .map(Integer::valueOf);
    }

    /** Whether the group number is in use. */
    public boolean hasGroup(int gid) {
        return groups.stream().anyMatch(fields -> fields[2].equals(Integer.toString(gid)));
    }

    /**
     * Whether nobody but this user is in the group, as with the user private groups of most
     * distributions. A group without an entry is not private: its members are unknown.
     */
    public boolean isPrivateGroup(int gid, int uid) {
        String group = Integer.toString(gid);
        String user = Integer.toString(uid);
        String name = userName(uid).orElse("");
        boolean alone =
                users.stream()
                        .filter(fields -> fields[3].equals(group))
                        .allMatch(fields -> fields[2].equals(user));
        return alone
                && hasGroup(gid)
                && groups.stream()
                        .filter(fields -> fields[2].equals(group))
                        .allMatch(fields -> fields[3].isEmpty() || fields[3].equals(name));
    }

    private Optional<String[]> user(int uid) {
        String number = Integer.toString(uid);
        return users.stream().filter(fields -> fields[2].equals(number)).findFirst();
    }
}
