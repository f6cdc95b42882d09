package dev.carrel.core.limits;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The mechanisms of a machine, in the order in which they are tried. */
final class Mechanisms implements AutoCloseable {

    private final Path self;
    private final SystemdScope scope;
    private final Rlimits rlimits;
    private @Nullable CgroupTree read;

    Mechanisms(Path self, SystemdScope scope, Rlimits rlimits) {
        this.self = self;
        this.scope = scope;
        this.rlimits = rlimits;
    }

    static Mechanisms ofThisMachine() {
        return new Mechanisms(Path.of("/proc/self"), SystemdScope.ofThisUser(), new Rlimits());
    }

    /**
     * All that may hold limits.
     *
     * @param cgroupOnly without resource limits
     * @param reasons takes why some are not even tried
     */
    List<Mechanism> inOrder(boolean cgroupOnly, Map<String, String> reasons) {
        List<Mechanism> all = new ArrayList<>(groups(reasons));
        if (!cgroupOnly) {
            all.add(rlimits);
        }
        return all;
    }

    private List<Mechanism> groups(Map<String, String> reasons) {
        List<Mechanism> found = new ArrayList<>();
        try {
            CgroupTree tree = tree();
            unified(tree)
                    .ifPresentOrElse(
                            found::add, () -> reasons.put(CgroupV2.NAME, "it is not mounted"));
            found.add(scope);
            if (tree.v1().isEmpty()) {
                reasons.put(CgroupV1.NAME, "it is not mounted");
            } else {
                found.add(new CgroupV1(tree.v1(), GroupFiles.HOST));
            }
        } catch (IOException e) {
            reasons.put("cgroups", "/proc does not tell of any: " + e.getMessage());
        }
        return found;
    }

    /** Read once: the kernel writes the list of mounts anew for each reader, which is slow. */
    private synchronized CgroupTree tree() throws IOException {
        CgroupTree known = read;
        if (known == null) {
            known = CgroupTree.read(self);
            read = known;
        }
        return known;
    }

    private static Optional<Mechanism> unified(CgroupTree tree) {
        return tree.v2()
                .flatMap(own ->
                        tree.v2Top()
                                .map(top ->
                                        new CgroupV2(CgroupV2.NAME, own, top, GroupFiles.HOST)));
    }

    /** Those whose groups may have been left. */
    List<Mechanism> known() {
        List<Mechanism> all = new ArrayList<>();
        try {
            CgroupTree tree = tree();
            unified(tree).ifPresent(all::add);
            all.add(new CgroupV1(tree.v1(), GroupFiles.HOST));
        } catch (IOException e) {
            // Without groups nothing can be left in them.
        }
        return all;
    }

    @Override
    public void close() {
        scope.close();
    }
}
