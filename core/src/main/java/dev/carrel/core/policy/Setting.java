package dev.carrel.core.policy;

import java.util.Arrays;
import java.util.List;

/**
 * One setting as it was written, not checked yet.
 *
 * @param key its documented name, such as {@code sandbox.seccomp}
 * @param values what it is set to: one value, or any number for a list
 * @param place where it was written, for messages: {@code --set}, or file and line
 */
public record Setting(String key, List<String> values, String place) {

    public Setting {
        values = List.copyOf(values);
    }

    /** A setting in one line of text: values of a list are separated by commas. */
    public static Setting ofText(String key, String text, String place) {
        List<String> values =
                SettingKey.named(key).filter(SettingKey::isList).isPresent()
                        ? Arrays.stream(text.split(",", -1))
                                .map(String::strip)
                                .filter(value -> !value.isEmpty())
                                .toList()
                        : List.of(text);
        return new Setting(key, values, place);
    }
}
