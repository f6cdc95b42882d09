package dev.carrel.core.config;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds a value against the schema. The only user of the validator and of its trees, so that they
 * are loaded for a file that was never seen before, and for nothing else.
 */
final class SchemaCheck {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final com.networknt.schema.Schema COMPILED =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(Schema.text(), InputFormat.JSON);

    private SchemaCheck() {}

    /**
     * One thing that the schema does not allow.
     *
     * @param names where: names, and indexes as digits
     * @param keyword which keyword of the schema was broken
     * @param property the member that is too many or missing, for keywords that are about one
     */
    record Violation(List<String> names, String keyword, String property) {}

    static List<Violation> violations(JsonValue value) {
        List<Violation> violations = new ArrayList<>();
        for (Error error : COMPILED.validate(node(value))) {
            String property = error.getProperty();
            violations.add(
                    new Violation(
                            names(error.getInstanceLocation()),
                            error.getKeyword(),
                            property == null ? "" : property));
        }
        return violations;
    }

    private static List<String> names(NodePath path) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < path.getNameCount(); i++) {
            names.add(path.getName(i));
        }
        return names;
    }

    private static JsonNode node(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                ObjectNode node = NODES.objectNode();
                object.members().forEach((name, member) -> node.set(name, node(member)));
                yield node;
            }
            case JsonArray array -> {
                ArrayNode node = NODES.arrayNode();
                array.values().forEach(element -> node.add(node(element)));
                yield node;
            }
            case JsonString(String text) -> NODES.stringNode(text);
            case JsonNumber(var number) -> NODES.numberNode(number);
            case JsonBoolean(boolean flag) -> NODES.booleanNode(flag);
            case JsonNull _ -> NODES.nullNode();
        };
    }
}
