package dev.carrel.core.snapshot;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.repo.HostGit;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Dir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The effects that make a git base, in order. */
record GitSteps(
        SnapshotRequest request, PrivateLayer layer, PrivateGit own, LayerContents contents) {

    List<Step> of(Repo.Git repo, HostGit git, SharedCheckout checkout) {
        List<Step> steps = new ArrayList<>();
        // First: a history that is rewritten from now on no longer takes objects away.
        checkout.record()
                .hiddenRef()
                .ifPresent(ref ->
                        steps.add(new Step("keep the commit alive", () -> keep(repo, git, ref))));
        steps.add(new Step("check the commit out", checkout::run));
        Path snapshot = checkout.place().directory();
        steps.addAll(ofLayer(() -> checkoutTime(snapshot)));
        return steps;
    }

    private static void keep(Repo.Git repo, HostGit git, String ref) throws InterruptedException {
        refuseLinks(repo.commonDir(), ref);
        String commit = ref.substring(ref.lastIndexOf('/') + 1);
        if (isAt(repo.commonDir().resolve(ref), commit)) {
            return;
        }
        git.at(repo.gitDir(), repo.root()).run("update-ref", ref, commit);
    }

    /**
     * A reference in a file of its own, as git writes it. What is kept otherwise is written anew.
     */
    private static boolean isAt(Path reference, String commit) {
        try {
            return Files.isRegularFile(reference, LinkOption.NOFOLLOW_LINKS)
                    && Files.readString(reference).equals(commit + "\n");
        } catch (IOException e) {
            return false;
        }
    }

    /** git follows links on the way to a reference: what it writes would lie outside. */
    private static void refuseLinks(Path commonDir, String ref) {
        Path at = commonDir;
        for (String name : ref.split("/", -1)) {
            at = at.resolve(name);
            if (Files.isSymbolicLink(at)) {
                throw new HostOperationException(
                        "cannot keep the commit alive: " + at + " is a link",
                        "put a directory in its place");
            }
        }
    }

    private static long checkoutTime(Path snapshot) {
        return SnapshotRecord.load(snapshot)
                .orElseThrow(() -> new BrokenStoreException(snapshot + " is not whole"))
                .modified();
    }

    /** Only the private layer, above files that all have one time. */
    List<Step> ofLayer(LongSupplier checkoutTime) {
        return List.of(
                new Step("clear the private layer", layer::begin),
                new Step("write the git directory", () -> own.write(layer.building())),
                new Step("copy uncommitted work", () -> copy(checkoutTime.getAsLong())),
                new Step(
                        "publish the private layer",
                        () -> layer.publish(request.repo().root(), request.identity(), true)));
    }

    private void copy(long checkoutTime) {
        try (Dir origin = Dir.open(request.repo().root());
                Dir target = Dir.open(layer.building());
                LayerWriter writer = new LayerWriter(origin, target, checkoutTime)) {
            contents.write(writer);
        }
    }
}
