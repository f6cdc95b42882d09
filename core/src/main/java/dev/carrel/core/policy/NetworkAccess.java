package dev.carrel.core.policy;

/** What a sandboxed process may reach. */
public sealed interface NetworkAccess {

    /**
     * A network namespace of its own, which the commands of one session share: loopback, and
     * through a proxy of this machine what the rules allow.
     */
    record Own(EgressPolicy egress) implements NetworkAccess {

        /** Loopback only. */
        public static final Own NOTHING = new Own(EgressPolicy.NONE);
    }

    /** The network of the host, whole. */
    record Host() implements NetworkAccess {}

    /** What a proxy has to be there for; nothing where there is none. */
    default EgressPolicy egress() {
        return switch (this) {
            case Own(EgressPolicy egress) -> egress;
            case Host() -> EgressPolicy.NONE;
        };
    }
}
