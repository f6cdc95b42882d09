package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Files and folders of a home directory that hold credentials; none of them is ever shown. */
final class SecretPlaces {

    private static final List<String> PLACES =
            List.of(
                    // keys and clouds
                    ".ssh",
                    ".gnupg",
                    ".pki",
                    ".aws",
                    ".azure",
                    ".config/gcloud",
                    ".oci",
                    ".s3cfg",
                    ".boto",
                    ".config/rclone",
                    ".kube",
                    ".docker",
                    ".config/containers",
                    ".vault-token",
                    ".terraform.d",
                    ".terraformrc",
                    ".config/sops",
                    ".config/age",
                    // code hosts and registries
                    ".netrc",
                    ".git-credentials",
                    ".config/git",
                    ".gitconfig",
                    ".config/gh",
                    ".config/glab-cli",
                    ".config/hub",
                    ".subversion",
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    ".config/pnpm",
                    ".pypirc",
                    ".config/pip",
                    ".pip",
                    ".config/pypoetry",
                    ".condarc",
                    ".gem/credentials",
                    ".cargo/credentials",
                    ".cargo/credentials.toml",
                    ".cargo/config.toml",
                    ".m2/settings.xml",
                    ".m2/settings-security.xml",
                    ".gradle/gradle.properties",
                    ".gradle/init.d",
                    ".composer/auth.json",
                    ".config/composer/auth.json",
                    ".nuget/NuGet",
                    // browsers, mail, key rings, password stores
                    ".mozilla",
                    ".thunderbird",
                    ".config/google-chrome",
                    ".config/chromium",
                    ".config/BraveSoftware",
                    ".config/microsoft-edge",
                    ".config/vivaldi",
                    ".local/share/keyrings",
                    ".local/share/kwalletd",
                    ".password-store",
                    ".config/1Password",
                    ".config/op",
                    ".config/Bitwarden",
                    ".config/keepassxc",
                    // databases, histories, agents
                    ".pgpass",
                    ".my.cnf",
                    ".mylogin.cnf",
                    ".bash_history",
                    ".zsh_history",
                    ".claude",
                    ".claude.json",
                    ".codex",
                    ".gemini",
                    ".config/opencode",
                    ".local/share/opencode",
                    ".carrel",
                    ".codumentor");

    private SecretPlaces() {}

    /** The place that showing this path of the home directory would expose, if there is one. */
    static Optional<Path> exposedBy(Path relativeToHome) {
        return PLACES.stream()
                .map(Path::of)
                .filter(place ->
                        place.startsWith(relativeToHome) || relativeToHome.startsWith(place))
                .findFirst();
    }
}
