package dev.carrel.core.overlay;

/**
 * What changed in one repository of a session.
 *
 * @param name under which the session has it
 */
public record RepoChanges(String name, LayerStack stack, ChangeSet changeSet) {}
