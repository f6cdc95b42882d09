package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.repo.GitAt;
import dev.carrel.core.repo.GitDirectory;
import dev.carrel.core.repo.HostGit;
import dev.carrel.core.store.Locks;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Walk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * Makes a shared snapshot: built aside, and moved into place once it is whole.
 *
 * @param ownObjects whether all objects that the commit needs are copied into it
 * @param partial whether the origin may lack objects
 */
record SharedCheckout(
        HostGit git,
        Identity identity,
        SharedPlace place,
        GitDirectory directory,
        SnapshotRecord record,
        boolean ownObjects,
        boolean partial) {

    private static final int NEEDS_UPDATE = 1;

    /** Builds it unless it is there. */
    void run() throws InterruptedException {
        place.makeParents(identity.switched());
        try (Locks.Held _ = place.lock()) {
            if (Files.exists(place.directory().resolve(SnapshotRecord.NAME))) {
                touch();
                return;
            }
            place.clearBuilding();
            clear(place.directory());
            Path building = place.freshBuilding();
            try {
                build(building);
            } catch (RuntimeException | InterruptedException failed) {
                clear(building);
                throw failed;
            }
        }
    }

    /** The collector goes by this time. */
    private void touch() {
        try {
            Files.setLastModifiedTime(
                    place.directory().resolve(SnapshotRecord.NAME), FileTime.from(Instant.now()));
        } catch (IOException e) {
            throw failure("touch", place.directory(), e);
        }
    }

    private void build(Path building) throws InterruptedException {
        String mode = identity.switched() ? "rwx--x--x" : "rwx------";
        SharedPlace.makeDirectory(building, mode);
        SharedPlace.makeDirectory(building.resolve("tree"), "rwxr-xr-x");
        SharedPlace.makeDirectory(building.resolve("work"), "rwx------");
        directory.write(building.resolve("work/git"));
        give(building.resolve("tree"), git.user().uid(), git.user().gid(), git.user().switched());
        give(building.resolve("work"), git.user().uid(), git.user().gid(), git.user().switched());
        checkOut(building);
        if (ownObjects) {
            copyObjects(building);
        }
        finish(building);
    }

    private void checkOut(Path building) throws InterruptedException {
        Path tree = building.resolve("tree");
        GitAt at = git.at(building.resolve("work/git"), tree);
        at.run("read-tree", "-m", "-u", place.commit());
        setTimes(tree, Instant.ofEpochSecond(record.modified()));
        // Now the times are final, and older than the index: nothing inside has to be read again.
        ProcessResult refreshed = at.attempt("update-index", "-q", "--refresh");
        if (refreshed.exit() > NEEDS_UPDATE) {
            throw new HostOperationException(
                    "git cannot refresh the index of " + tree + ": " + refreshed.errorText());
        }
    }

    private void copyObjects(Path building) throws InterruptedException {
        GitAt at = git.at(building.resolve("work/git"));
        String objects = building.resolve("work/git/objects/pack/pack").toString();
        byte[] revisions = (place.commit() + "\n").getBytes(StandardCharsets.US_ASCII);
        String missing = partial ? "--missing=allow-any" : "--delta-base-offset";
        at.runWith(revisions, "pack-objects", "--revs", "--quiet", missing, objects);
        move(building.resolve("work/git/objects"), building.resolve("objects"));
        clear(building.resolve("objects/info"));
        SharedPlace.makeDirectory(building.resolve("objects/info"), "rwxr-xr-x");
    }

    private void finish(Path building) throws InterruptedException {
        move(building.resolve("work/git/index"), building.resolve("index"));
        clear(building.resolve("work"));
        for (String part : new String[] {"tree", "index", "objects"}) {
            Path path = building.resolve(part);
            if (Files.exists(path)) {
                give(path, identity.uid(), identity.gid(), identity.switched());
            }
        }
        record.store(building);
        // A rename may reach the disk before the files do; a power failure would leave empty ones.
        git.attempt(Command.of("sync", "-f", building.toString()));
        move(building, place.directory());
    }

    private static void give(Path path, int uid, int gid, boolean needed) {
        if (needed) {
            Place.of(path).give(uid, gid);
        }
    }

    private static void setTimes(Path tree, Instant time) {
        try (Dir root = Dir.open(tree)) {
            Walk.of(root, new Times(time));
        }
    }

    private static void clear(Path path) {
        Place.of(path).delete();
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failure("move into place", from, e);
        }
    }

    private static HostOperationException failure(String what, Path path, IOException e) {
        return new HostOperationException("cannot " + what + " " + path + ": " + e, null, e);
    }

    private record Times(Instant time) implements Walk.Visitor {
        @Override
        public boolean enter(TreePath dir, Dir handle, FileStatus status) {
            return true;
        }

        @Override
        public void file(TreePath path, Dir parent, FileStatus status) {
            parent.setModified(path.name(), time);
        }

        @Override
        public void leave(TreePath dir, Dir parent, FileStatus status) {
            parent.setModified(dir.name(), time);
        }
    }
}
