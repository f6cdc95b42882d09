package dev.carrel.core.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where this process is in the trees of groups.
 *
 * @param v1 the own group by controller
 * @param v2 the own group of the unified tree
 * @param v2Top where that tree is mounted
 */
record CgroupTree(Map<String, Path> v1, Optional<Path> v2, Optional<Path> v2Top) {

    CgroupTree {
        v1 = Map.copyOf(v1);
    }

    /**
     * One mounted tree: which controllers, its own root within the whole tree, where it is mounted.
     */
    private record Mounted(String type, List<String> controllers, Path root, Path place) {}

    /**
     * Reads {@code mountinfo} and {@code cgroup} of {@code /proc/self}.
     *
     * @throws IOException if they are not there
     */
    static CgroupTree read(Path self) throws IOException {
        List<Mounted> mounts =
                Files.readAllLines(self.resolve("mountinfo")).stream()
                        .map(CgroupTree::mounted)
                        .flatMap(Optional::stream)
                        .toList();
        Map<String, Path> v1 = new HashMap<>();
        Optional<Path> v2 = Optional.empty();
        for (String line : Files.readAllLines(self.resolve("cgroup"))) {
            // number:controllers:path, as cgroups(7) says
            String[] fields = line.split(":", 3);
            if (fields.length < 3) {
                continue;
            }
            Path group = Path.of(fields[2]);
            if (fields[0].equals("0") && fields[1].isEmpty()) {
                v2 =
                        mounts.stream()
                                .filter(mount -> mount.type.equals("cgroup2"))
                                .findFirst()
                                .flatMap(mount -> within(mount, group));
                continue;
            }
            for (String controller : fields[1].split(",", -1)) {
                mounts.stream()
                        .filter(mount -> mount.controllers.contains(controller))
                        .findFirst()
                        .flatMap(mount -> within(mount, group))
                        .ifPresent(place -> v1.put(controller, place));
            }
        }
        return new CgroupTree(
                v1,
                v2,
                mounts.stream()
                        .filter(mount -> mount.type.equals("cgroup2"))
                        .map(Mounted::place)
                        .findFirst());
    }

    private static Optional<Mounted> mounted(String line) {
        String[] fields = line.split(" ", -1);
        int dash = Arrays.asList(fields).indexOf("-");
        if (dash < 6 || dash + 3 >= fields.length || !fields[dash + 1].startsWith("cgroup")) {
            return Optional.empty();
        }
        return Optional.of(
                new Mounted(
                        fields[dash + 1],
                        List.of(fields[dash + 3].split(",", -1)),
                        Path.of(fields[3]),
                        Path.of(fields[4])));
    }

    /** A container may see only a part of the tree, mounted as if it were the whole. */
    private static Optional<Path> within(Mounted mount, Path group) {
        if (mount.type.equals("cgroup") && mount.controllers.isEmpty()) {
            return Optional.empty();
        }
        if (group.startsWith(mount.root)) {
            return Optional.of(mount.place.resolve(mount.root.relativize(group).toString()));
        }
        return Optional.empty();
    }
}
