package dev.carrel.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables that the caller had. The launcher changes some for the Java machine and keeps what
 * they were under names of its own.
 */
final class CallerEnvironment {

    private static final String LAUNCHER = "CARREL_LAUNCHER";
    private static final String KEPT = "CARREL_CALLER_";
    private static final List<String> CHANGED =
            List.of("LC_ALL", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private CallerEnvironment() {}

    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> caller = new LinkedHashMap<>(environment);
        if (caller.remove(LAUNCHER) == null) {
            return caller;
        }
        for (String name : CHANGED) {
            caller.remove(name);
            String before = caller.remove(KEPT + name);
            if (before != null) {
                caller.put(name, before);
            }
        }
        return caller;
    }
}
