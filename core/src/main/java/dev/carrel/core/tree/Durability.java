package dev.carrel.core.tree;

/** Whether a new file must survive a power failure. */
public enum Durability {
    /** The kernel writes it when it likes. */
    EVENTUAL,
    /** On disk before the call returns. Its name needs {@link Dir#sync} besides. */
    SYNCED
}
