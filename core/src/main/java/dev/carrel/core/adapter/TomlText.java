package dev.carrel.core.adapter;

/** A text as TOML has it between quotes. */
final class TomlText {

    private static final int DELETE = 0x7f;

    private TomlText() {}

    static String of(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\') {
                quoted.append('\\').append(each);
            } else if (each < ' ' || each == DELETE) {
                quoted.append(String.format("\\u%04x", (int) each));
            } else {
                quoted.append(each);
            }
        }
        return quoted.append('"').toString();
    }
}
