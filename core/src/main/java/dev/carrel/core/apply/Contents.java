package dev.carrel.core.apply;

import dev.carrel.core.tree.Dir;

/** Prepares written files in the staging directory. For one thread. */
interface Contents extends AutoCloseable {

    /**
     * Makes the file.
     *
     * @param write whose content is meant
     * @param fresh where it is made, under this name
     * @param synced whether its content is on disk when this returns
     * @return SHA-256 of what was made
     */
    String prepare(Operation.Write write, Material from, Dir fresh, byte[] name, boolean synced);

    @Override
    void close();
}
