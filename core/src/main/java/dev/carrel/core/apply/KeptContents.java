package dev.carrel.core.apply;

import dev.carrel.core.tree.Dir;

/** The contents of an undo: what an apply replaced. */
final class KeptContents implements Contents {

    private final Dir originals;

    KeptContents(UndoStore store) {
        this.originals = store.originals();
    }

    @Override
    public String prepare(
            Operation.Write write, Material from, Dir fresh, byte[] name, boolean synced) {
        if (!(from instanceof Material.Original(int number))) {
            throw new IllegalArgumentException("not of an undo: " + from);
        }
        // The file itself comes back, with all that it has; it stays kept until that is done.
        Transfer.link(originals, UndoStore.name(number), fresh, name);
        return Fingerprint.digest(fresh, name);
    }

    @Override
    public void close() {
        originals.close();
    }
}
