package dev.carrel.core.session;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The variables by which programs find the proxy of their session. Every common client reads one of
 * them; see the table in the user guide. Pure.
 */
final class NetworkVariables {

    private static final String LOCAL = "localhost,127.0.0.1,::1";

    private NetworkVariables() {}

    /** For a proxy at this port of the session's loopback. */
    static Map<String, String> of(int port) {
        Map<String, String> all = new LinkedHashMap<>();
        String http = "http://127.0.0.1:" + port;
        both(all, "HTTP_PROXY", http);
        both(all, "HTTPS_PROXY", http);
        // Not the SOCKS that the proxy speaks as well: clients that lack it refuse to start.
        both(all, "ALL_PROXY", http);
        both(all, "NO_PROXY", LOCAL);
        // Yarn since 2 reads none but its own.
        all.put("YARN_HTTP_PROXY", http);
        all.put("YARN_HTTPS_PROXY", http);
        // Node's own fetch and http, since 22.21 and 24.5.
        all.put("NODE_USE_ENV_PROXY", "1");
        all.put(CommandEnvironment.JAVA_OPTIONS, java(port));
        // ssh knows no variable; git does, for what it starts.
        all.put(
                "GIT_SSH_COMMAND",
                "ssh -o ProxyCommand='socat - PROXY:127.0.0.1:%h:%p,proxyport=" + port + "'");
        return all;
    }

    private static void both(Map<String, String> all, String name, String value) {
        all.put(name, value);
        all.put(name.toLowerCase(java.util.Locale.ROOT), value);
    }

    private static String java(int port) {
        String proxy = "-D%1$s.proxyHost=127.0.0.1 -D%1$s.proxyPort=" + port;
        return proxy.formatted("http")
                + " "
                + proxy.formatted("https")
                // Maven 3.9 asks for neither else.
                + " -Daether.connector.http.useSystemProperties=true";
    }
}
