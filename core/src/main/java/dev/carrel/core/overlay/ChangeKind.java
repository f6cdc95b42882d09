package dev.carrel.core.overlay;

/** How an entry of the view differs from the base. Content decides, never a time. */
public enum ChangeKind {
    /** The base has nothing there. */
    ADDED('A'),
    /** Other content or other link text; permission bits may differ besides. */
    MODIFIED('M'),
    /** The same content with other permission bits. */
    MODE_CHANGED('M'),
    /** Another type: what the base has is removed first. */
    TYPE_CHANGED('T'),
    /** The view has nothing there. */
    DELETED('D');

    private final char letter;

    ChangeKind(char letter) {
        this.letter = letter;
    }

    /** The letter that {@code git diff --name-status} shows. */
    public char letter() {
        return letter;
    }
}
