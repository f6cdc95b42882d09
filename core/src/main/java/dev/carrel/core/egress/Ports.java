package dev.carrel.core.egress;

/** Port numbers as they are written: decimal, without sign or leading zeros. */
final class Ports {

    private Ports() {}

    /** A port from 1 to 65535, else -1. */
    static int parse(String text) {
        if (text.isEmpty() || text.length() > 5 || text.charAt(0) == '0') {
            return -1;
        }
        int port = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            port = port * 10 + digit;
        }
        return port <= 65535 ? port : -1;
    }
}
