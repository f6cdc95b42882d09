package dev.carrel.system;

/** The real command lines of agents that tests drive. */
enum AgentCli {
    CLAUDE_CODE("claude_code", "claude", "ANTHROPIC_API_KEY", "api.anthropic.com"),
    CODEX("codex", "codex", "CODEX_API_KEY", "api.openai.com"),
    GEMINI_CLI("gemini_cli", "gemini", "GEMINI_API_KEY", "generativelanguage.googleapis.com"),
    OPENCODE("opencode", "opencode", "ANTHROPIC_API_KEY", "api.anthropic.com");

    /** As Carrel calls it. */
    final String backend;

    /** Its file. */
    final String program;

    /** Where it finds its key. */
    final String key;

    /** Where its model is. */
    final String host;

    AgentCli(String backend, String program, String key, String host) {
        this.backend = backend;
        this.program = program;
        this.key = key;
        this.host = host;
    }
}
