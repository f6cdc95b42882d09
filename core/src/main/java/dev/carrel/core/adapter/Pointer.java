package dev.carrel.core.adapter;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A JSON pointer, RFC 6901: {@code /choices/0/text}.
 *
 * @param steps names, or positions in an array
 */
record Pointer(List<String> steps) {

    private static final Pattern POSITION = Pattern.compile("0|[1-9][0-9]{0,6}");

    Pointer {
        steps = List.copyOf(steps);
    }

    /** Empty for what is none. */
    static Optional<Pointer> of(String text) {
        if (!text.startsWith("/")) {
            return Optional.empty();
        }
        return Optional.of(
                new Pointer(
                        Arrays.stream(text.substring(1).split("/", -1))
                                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                                .toList()));
    }

    Loose in(Loose line) {
        Loose at = line;
        for (String step : steps) {
            List<Loose> elements = at.each();
            at = elements.isEmpty() ? at.at(step) : element(elements, step);
        }
        return at;
    }

    private static Loose element(List<Loose> elements, String step) {
        if (!POSITION.matcher(step).matches()) {
            return Loose.NOTHING;
        }
        int position = Integer.parseInt(step);
        return position < elements.size() ? elements.get(position) : Loose.NOTHING;
    }
}
