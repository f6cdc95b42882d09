package dev.carrel.core.policy;

import java.util.Optional;

/** Texts of addresses, read strictly: one spelling of IPv4, no zones, no shorthand but "::". */
final class IpText {

    private static final int GROUPS = 8;

    private IpText() {}

    static Optional<IpAddress> parse(String text) {
        return text.indexOf(':') < 0
                ? fourNumbers(text).map(IpAddress::ofV4)
                : groups(text).map(IpText::ofGroups);
    }

    private static Optional<Long> fourNumbers(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return Optional.empty();
        }
        long bits = 0;
        for (String part : parts) {
            int value = decimal(part);
            if (value < 0 || value > 255) {
                return Optional.empty();
            }
            bits = bits << 8 | value;
        }
        return Optional.of(bits);
    }

    /** A number without sign and leading zeros, of up to five digits; else negative. */
    static int decimal(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5;
        for (int i = 0; i < text.length() && digits; i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        boolean padded = text.length() > 1 && text.charAt(0) == '0';
        return digits && !padded ? Integer.parseInt(text) : -1;
    }

    private static Optional<int[]> groups(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return list(text).filter(groups -> groups.length == GROUPS);
        }
        Optional<int[]> before = list(text.substring(0, gap));
        Optional<int[]> after = list(text.substring(gap + 2));
        if (before.isEmpty() || after.isEmpty()) {
            return Optional.empty();
        }
        int[] first = before.get();
        int[] last = after.get();
        if (first.length + last.length >= GROUPS) {
            return Optional.empty();
        }
        int[] all = new int[GROUPS];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(last, 0, all, GROUPS - last.length, last.length);
        // Dotted numbers end an address, so they cannot stand before a gap.
        return text.substring(0, gap).indexOf('.') < 0 ? Optional.of(all) : Optional.empty();
    }

    private static Optional<int[]> list(String text) {
        if (text.isEmpty()) {
            return Optional.of(new int[0]);
        }
        String[] parts = text.split(":", -1);
        String last = parts[parts.length - 1];
        boolean dotted = last.indexOf('.') >= 0;
        int[] groups = new int[parts.length + (dotted ? 1 : 0)];
        int plain = dotted ? parts.length - 1 : parts.length;
        for (int i = 0; i < plain; i++) {
            groups[i] = hexadecimal(parts[i]);
            if (groups[i] < 0) {
                return Optional.empty();
            }
        }
        if (dotted) {
            Optional<Long> bits = fourNumbers(last);
            if (bits.isEmpty()) {
                return Optional.empty();
            }
            groups[plain] = (int) (bits.get() >>> 16);
            groups[plain + 1] = (int) (bits.get() & 0xffff);
        }
        return Optional.of(groups);
    }

    private static int hexadecimal(String group) {
        if (group.isEmpty() || group.length() > 4) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < group.length(); i++) {
            char c = group.charAt(i);
            // Character.digit knows digits of every script.
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static IpAddress ofGroups(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < GROUPS; i++) {
            if (i < GROUPS / 2) {
                high = high << 16 | groups[i];
            } else {
                low = low << 16 | groups[i];
            }
        }
        return new IpAddress(true, high, low);
    }

    static String canonical(IpAddress address) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? address.high() : address.low();
            groups[i] = (int) (half >>> (48 - i % 4 * 16) & 0xffff);
        }
        int start = -1;
        int length = 1; // one zero alone is not shortened
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
        }
        if (start < 0) {
            return joined(groups, 0, GROUPS);
        }
        return joined(groups, 0, start) + "::" + joined(groups, start + length, GROUPS);
    }

    private static String joined(int[] groups, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i > from ? ":" : "").append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
