package dev.carrel.core.limits;

/** Why a mechanism cannot hold limits here. */
final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    Refused(String reason) {
        super(reason);
    }
}
