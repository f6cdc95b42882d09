package dev.carrel.core.session;

import dev.carrel.core.posix.ProcessExit;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * What costs much when it is used first in a process, and nothing later: the linkage of native
 * calls, the providers of random numbers and digests, and decimal numbers, whose class computes a
 * table of powers.
 */
final class FirstUse {

    private FirstUse() {}

    /** Uses all of it, on a thread of its own; who needs some of it earlier waits for that. */
    static void begin() {
        Thread.ofPlatform().daemon().name("carrel-first-use").start(FirstUse::all);
    }

    /** In the order in which a session needs it. */
    private static void all() {
        ProcessExit.link();
        new SecureRandom().nextInt();
        digest();
        var _ = BigDecimal.valueOf(1);
    }

    private static void digest() {
        try {
            MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
