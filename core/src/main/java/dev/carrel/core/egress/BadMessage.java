package dev.carrel.core.egress;

/**
 * Something that came over a connection is no message of its protocol, or none that is understood
 * in only one way. Stays inside of this package.
 */
final class BadMessage extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Says what is wrong.
     *
     * @param status the status that HTTP answers with
     * @param why printable ASCII
     */
    BadMessage(int status, String why) {
        super(why);
        this.status = status;
    }

    static BadMessage request(String why) {
        return new BadMessage(400, why);
    }

    int status() {
        return status;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
