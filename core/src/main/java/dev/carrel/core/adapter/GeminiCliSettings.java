package dev.carrel.core.adapter;

import dev.carrel.core.store.JsonObject;

/** The user's settings of Gemini CLI. */
final class GeminiCliSettings {

    private static final int ATTEMPTS = 3;

    private GeminiCliSettings() {}

    static JsonObject of(Invocation invocation) {
        JsonObject.Builder settings =
                JsonObject.builder()
                        .put("security", security(invocation.repositoryConfiguration()))
                        .put("privacy", group().put("usageStatisticsEnabled", false).build())
                        .put("general", general());
        if (!invocation.repositoryConfiguration()) {
            settings.put("advanced", group().put("ignoreLocalEnv", true).build());
        }
        invocation
                .maxTurns()
                .ifPresent(turns ->
                        settings.put("model", group().put("maxSessionTurns", turns).build()));
        return settings.build();
    }

    private static JsonObject.Builder group() {
        return JsonObject.builder();
    }

    /** A base URL counts only where the kind of authentication is chosen. */
    private static JsonObject security(boolean trust) {
        JsonObject.Builder security =
                group().put("auth", group().put("selectedType", "gemini-api-key").build());
        if (!trust) {
            security.put("folderTrust", group().put("enabled", false).build());
        }
        return security.build();
    }

    private static JsonObject general() {
        return group().put("enableAutoUpdate", false)
                .put("enableAutoUpdateNotification", false)
                .put("maxAttempts", ATTEMPTS)
                .build();
    }
}
