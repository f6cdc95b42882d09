package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.net.IDN;
import java.util.Locale;
import java.util.Optional;

/** The grammar of hosts. */
final class HostText {

    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;

    private HostText() {}

    static Host parse(String text) {
        String problem = characterProblem(text);
        if (!problem.isEmpty()) {
            throw odd(text, problem);
        }
        if (text.startsWith("[") || text.endsWith("]")) {
            return bracketed(text);
        }
        String lower = text.toLowerCase(Locale.ROOT);
        String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        Optional<IpAddress> address = IpText.parse(name);
        if (text.indexOf(':') >= 0) {
            throw odd(text, "an IPv6 address stands in brackets");
        }
        if (address.isPresent()) {
            return new Host.Literal(address.get());
        }
        String nameProblem = nameProblem(name);
        if (!nameProblem.isEmpty()) {
            throw odd(text, nameProblem);
        }
        return new Host.Name(name);
    }

    private static Host bracketed(String text) {
        boolean closed = text.length() > 2 && text.startsWith("[") && text.endsWith("]");
        String inner = closed ? text.substring(1, text.length() - 1) : "";
        if (inner.indexOf('%') >= 0) {
            throw odd(text, "a zone means another interface on every machine");
        }
        return IpText.parse(inner)
                .filter(_ -> inner.indexOf(':') >= 0)
                .map(Host.Literal::new)
                .orElseThrow(() -> odd(text, "no IPv6 address stands in the brackets"));
    }

    static boolean isName(String text) {
        return nameProblem(text).isEmpty() && text.equals(text.toLowerCase(Locale.ROOT));
    }

    private static String characterProblem(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == 0x7f) {
                return "it holds a control character";
            }
            if (c > 0x7f) {
                return "names of other scripts are sent as xn--...";
            }
        }
        return "";
    }

    private static String nameProblem(String name) {
        if (name.isEmpty()) {
            return "it is empty";
        }
        if (name.length() > LONGEST_NAME) {
            return "it is longer than " + LONGEST_NAME + " characters";
        }
        String[] labels = name.split("\\.", -1);
        for (String label : labels) {
            String problem = labelProblem(label);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        // As in the URL standard: resolvers read "127.1" and "0x7f.1" as addresses.
        return isNumber(labels[labels.length - 1])
                ? "it ends in a number but is not an IPv4 address of four decimal numbers"
                : "";
    }

    private static String labelProblem(String label) {
        if (label.isEmpty()) {
            return "it has an empty label";
        }
        if (label.length() > LONGEST_LABEL) {
            return "a label is longer than " + LONGEST_LABEL + " characters";
        }
        if (label.startsWith("-") || label.endsWith("-")) {
            return "a label begins or ends with a hyphen";
        }
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '-') {
                return "a host name has letters, digits, hyphens and dots only";
            }
        }
        return "";
    }

    private static boolean isNumber(String label) {
        String digits = label.startsWith("0x") || label.startsWith("0X") ? "0" : label;
        return digits.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Names of other scripts as DNS carries them, where the conversion loses nothing. */
    static String ascii(String text) {
        if (text.chars().allMatch(c -> c < 0x80)) {
            return text;
        }
        String composed = text.toLowerCase(Locale.ROOT);
        String converted;
        try {
            converted = IDN.toASCII(composed, IDN.USE_STD3_ASCII_RULES);
        } catch (IllegalArgumentException refused) {
            throw odd(text, "it cannot be written as xn--...");
        }
        // What comes back different was dropped or folded: soft hyphens, joiners, full-width dots.
        if (!IDN.toUnicode(converted, IDN.USE_STD3_ASCII_RULES).equals(composed)) {
            throw odd(text, "it holds characters that DNS drops or replaces; write " + converted);
        }
        return converted;
    }

    private static InvalidInputException odd(String text, String why) {
        return new InvalidInputException(Visible.quoted(text) + " is not a host: " + why);
    }
}
