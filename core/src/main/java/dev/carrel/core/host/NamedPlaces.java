package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Places that variables of the caller name: of secrets, and of services that listen. Pure. */
final class NamedPlaces {

    /** Several may be separated by colons. */
    private static final List<String> SECRETS =
            List.of(
                    "AWS_CONFIG_FILE",
                    "AWS_SHARED_CREDENTIALS_FILE",
                    "AZURE_CONFIG_DIR",
                    "BOTO_CONFIG",
                    "CLAUDE_CONFIG_DIR",
                    "CLOUDSDK_CONFIG",
                    "CODEX_HOME",
                    "DOCKER_CONFIG",
                    "GH_CONFIG_DIR",
                    "GNUPGHOME",
                    "GOOGLE_APPLICATION_CREDENTIALS",
                    "HISTFILE",
                    "KRB5CCNAME",
                    "KRB5_CLIENT_KTNAME",
                    "KUBECONFIG",
                    "MYSQL_HISTFILE",
                    "NETRC",
                    "NPM_CONFIG_USERCONFIG",
                    "PASSWORD_STORE_DIR",
                    "PGPASSFILE",
                    "PIP_CONFIG_FILE",
                    "PSQL_HISTORY",
                    "SOPS_AGE_KEY_FILE",
                    "XAUTHORITY");

    private static final List<String> SOCKETS =
            List.of(
                    "CONTAINER_HOST",
                    "DBUS_SESSION_BUS_ADDRESS",
                    "DBUS_SYSTEM_BUS_ADDRESS",
                    "DOCKER_HOST",
                    "GNOME_KEYRING_CONTROL",
                    "GPG_AGENT_INFO",
                    "I3SOCK",
                    "NVIM",
                    "PULSE_SERVER",
                    "SSH_AUTH_SOCK",
                    "SWAYSOCK",
                    "TMUX",
                    "VSCODE_IPC_HOOK_CLI",
                    "WAYLAND_DISPLAY",
                    "XDG_RUNTIME_DIR");

    /** As a whole they would be most of what there is to see. */
    private static final Set<Path> TOO_WIDE =
            Set.of(Path.of("/"), Path.of("/etc"), Path.of("/home"), Path.of("/tmp"));

    private NamedPlaces() {}

    static List<Path> secrets(Map<String, String> environment) {
        return places(environment, SECRETS);
    }

    static List<Path> sockets(Map<String, String> environment) {
        return places(environment, SOCKETS);
    }

    private static List<Path> places(Map<String, String> environment, List<String> names) {
        List<Path> places = new ArrayList<>();
        for (String name : names) {
            // unix:path=/a,guid=1 · unix:///a · FILE:/a · /a,123,0 · /a:/b
            for (String part : environment.getOrDefault(name, "").split("[:,;=]", -1)) {
                String path = part.replaceFirst("^/+", "/");
                if (path.startsWith("/")
                        && path.indexOf('\0') < 0
                        && !TOO_WIDE.contains(Path.of(path).normalize())) {
                    places.add(Path.of(path).normalize());
                }
            }
        }
        return places;
    }
}
