package dev.carrel.core.config;

import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRule.Traffic;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a repository's own file, which nobody has vetted, may do to a key. */
sealed interface Narrowing {

    /**
     * The value that comes of both.
     *
     * @param allowed what the user's file says, or the default; empty where there is neither
     * @param asked what the repository's file says
     * @return empty where that would allow more
     */
    Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked);

    /**
     * The elements of a list that each would allow more; the others can be used without them.
     *
     * @return none where it is no list of what is allowed
     */
    default List<JsonValue> wider(Optional<JsonValue> allowed, JsonValue asked) {
        return List.of();
    }

    /** For people, going on from "a repository may": {@code only make it smaller}. */
    String described();

    /** Nothing. */
    record Never() implements Narrowing {
        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            return Optional.empty();
        }

        @Override
        public String described() {
            return "not set it";
        }
    }

    /** Whatever it likes: it is harmless. */
    record Anything() implements Narrowing {
        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            return Optional.of(asked);
        }

        @Override
        public String described() {
            return "set it";
        }
    }

    /** A flag that goes one way. */
    record Only(boolean value) implements Narrowing {
        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            return Optional.of(asked).filter(new JsonBoolean(value)::equals);
        }

        @Override
        public String described() {
            return "set it to " + value;
        }
    }

    /** Choices from the widest to the narrowest. */
    record Order(List<JsonValue> widestFirst) implements Narrowing {
        public Order {
            widestFirst = List.copyOf(widestFirst);
        }

        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            int from = allowed.map(this::rank).orElse(0);
            return from >= 0 && rank(asked) >= from ? Optional.of(asked) : Optional.empty();
        }

        /** 1 and 1.0 are the same. */
        private int rank(JsonValue value) {
            return value instanceof JsonNumber(var number)
                    ? widestFirst.stream()
                            .map(each -> Amount.of(each).orElseThrow().compareTo(number))
                            .toList()
                            .indexOf(0)
                    : widestFirst.indexOf(value);
        }

        @Override
        public String described() {
            List<String> words = widestFirst.stream().map(SchemaKey::shown).toList();
            return "go to the right in " + String.join(", ", words);
        }
    }

    /** A list that may lose entries. */
    record Subset() implements Narrowing {
        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            return Optional.of(asked).filter(_ -> wider(allowed, asked).isEmpty());
        }

        @Override
        public List<JsonValue> wider(Optional<JsonValue> allowed, JsonValue asked) {
            List<JsonValue> widest = elements(allowed);
            return elements(Optional.of(asked)).stream().filter(e -> !widest.contains(e)).toList();
        }

        @Override
        public String described() {
            return "remove entries";
        }
    }

    /** A list of egress rules that may get narrower; several spellings are one rule. */
    record Rules() implements Narrowing {
        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            return Optional.of(asked).filter(_ -> wider(allowed, asked).isEmpty());
        }

        @Override
        public List<JsonValue> wider(Optional<JsonValue> allowed, JsonValue asked) {
            List<EgressRule> widest = elements(allowed).stream().map(Rules::rule).toList();
            return elements(Optional.of(asked)).stream()
                    .filter(text -> widest.stream().noneMatch(wide -> isWithin(rule(text), wide)))
                    .toList();
        }

        private static EgressRule rule(JsonValue text) {
            return EgressRule.allow(SchemaKey.shown(text));
        }

        private static boolean isWithin(EgressRule rule, EgressRule wide) {
            return wide.covers(rule)
                    && (rule.traffic() == Traffic.WEB || wide.traffic() == Traffic.ANY);
        }

        @Override
        public String described() {
            return "remove entries or narrow them";
        }
    }

    /** A list that may get more entries; those of the user stay. */
    record Superset() implements Narrowing {
        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            List<JsonValue> all = new ArrayList<>(elements(allowed));
            elements(Optional.of(asked)).stream().filter(e -> !all.contains(e)).forEach(all::add);
            return Optional.of(JsonArray.of(all));
        }

        @Override
        public String described() {
            return "add entries";
        }
    }

    /** A number, size or time that may get smaller; without one of the user's it may be any. */
    record AtMost() implements Narrowing {
        @Override
        public Optional<JsonValue> narrow(Optional<JsonValue> allowed, JsonValue asked) {
            Optional<BigDecimal> most = allowed.flatMap(Amount::of);
            Optional<BigDecimal> wanted = Amount.of(asked);
            boolean fits =
                    wanted.isPresent()
                            && (most.isEmpty() || wanted.get().compareTo(most.get()) <= 0);
            return fits ? Optional.of(asked) : Optional.empty();
        }

        @Override
        public String described() {
            return "make it smaller";
        }
    }

    static List<JsonValue> elements(Optional<JsonValue> list) {
        return switch (list.orElse(JsonNull.INSTANCE)) {
            case JsonArray array -> array.values();
            default -> List.of();
        };
    }

    /** The rule that the schema gives a key. */
    static Narrowing of(JsonObject schema) {
        String rule = schema.string("x-repository");
        return switch (rule) {
            case "never" -> new Never();
            case "anything" -> new Anything();
            case "only true" -> new Only(true);
            case "only false" -> new Only(false);
            case "order" -> new Order(schema.array("x-order").values());
            case "subset" -> new Subset();
            case "rules" -> new Rules();
            case "superset" -> new Superset();
            case "at most" -> new AtMost();
            default -> throw new IllegalStateException("the schema has a rule '" + rule + "'");
        };
    }
}
