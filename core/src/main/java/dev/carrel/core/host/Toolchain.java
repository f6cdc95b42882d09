package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A tool manager that installs below the home directory, and which of its folders are programs.
 * Where PATH names a directory below {@code root}, the shown parts of the root appear at the same
 * place, and nothing else of it: configuration, caches and credentials stay outside.
 *
 * @param name what people call it
 * @param root its folder, relative to the home directory
 * @param variable the variable that moves its root
 * @param exported whether the tool needs that variable inside, where HOME is another
 * @param trigger the folder below the root that PATH has to name, or below which
 * @param shown the parts of the root that are shown, relative to it
 * @param companions names of entries that are shown along with it
 */
record Toolchain(
        String name,
        Path root,
        Optional<String> variable,
        boolean exported,
        Path trigger,
        List<Path> shown,
        List<String> companions) {

    /** Every manager that is known. */
    static final List<Toolchain> ALL =
            List.of(
                    exporting("NVM_DIR", "nvm", ".nvm", "versions alias nvm.sh nvm-exec"),
                    moved("FNM_DIR", "fnm", ".local/share/fnm", "fnm node-versions aliases"),
                    exporting("VOLTA_HOME", "volta", ".volta", "bin tools"),
                    plain("npm", ".npm-global", "bin lib"),
                    plain("npm", ".npm-packages", "bin lib"),
                    plain("npm", "node_modules", ".bin").with("node_modules"),
                    plain("node_modules", "node_modules", ""),
                    plain("yarn", ".yarn/bin", ""),
                    plain("yarn", ".config/yarn/global/node_modules", ""),
                    // Packages installed globally are kept beside, the download cache is not.
                    plain("bun", ".bun", "bin install/global/node_modules"),
                    plain("deno", ".deno/bin", ""),
                    exporting(
                            "SDKMAN_DIR",
                            "sdkman",
                            ".sdkman",
                            "bin candidates contrib libexec src"),
                    moved("CARGO_HOME", "cargo", ".cargo", "bin").below("bin").with("rustup"),
                    exporting("RUSTUP_HOME", "rustup", ".rustup", "toolchains settings.toml"),
                    exporting(
                            "PYENV_ROOT",
                            "pyenv",
                            ".pyenv",
                            "bin completions libexec plugins pyenv.d shims version versions"),
                    exporting(
                            "RBENV_ROOT",
                            "rbenv",
                            ".rbenv",
                            "bin completions libexec plugins rbenv.d shims version versions"),
                    exporting(
                            "NODENV_ROOT",
                            "nodenv",
                            ".nodenv",
                            "bin completions libexec plugins nodenv.d shims version versions"),
                    exporting(
                            "GOENV_ROOT",
                            "goenv",
                            ".goenv",
                            "bin completions libexec plugins shims version versions"),
                    exporting(
                            "JENV_ROOT",
                            "jenv",
                            ".jenv",
                            "bin available-plugins libexec plugins shims version versions"),
                    plain("rvm", ".rvm", "bin gems lib rubies scripts wrappers"),
                    moved("GOPATH", "go", "go", "bin").below("bin"),
                    plain("go", "sdk", ""),
                    plain("gvm", ".gvm", "bin gos"),
                    exporting(
                            "MISE_DATA_DIR",
                            "mise",
                            ".local/share/mise",
                            "bin installs plugins shims"),
                    exporting(
                            "ASDF_DATA_DIR",
                            "asdf",
                            ".asdf",
                            "asdf.sh bin completions installs lib libexec plugins shims"),
                    plain("local", ".local/bin", "")
                            .with("pipx", "uv", "mise", "claude", "poetry", "pnpm-global"),
                    exporting("PIPX_HOME", "pipx", ".local/share/pipx", "venvs"),
                    plain("uv", ".local/share/uv", "python tools"),
                    plain("claude", ".local/share/claude", "versions"),
                    plain("poetry", ".local/share/pypoetry", "venv"),
                    plain("pnpm-global", ".local/share/pnpm", "global nodejs pnpm"),
                    plain("rye", ".rye", "py self shims tools"),
                    plain(
                            "conda",
                            "miniconda3",
                            "bin condabin conda-meta envs etc lib libexec share"),
                    plain(
                            "conda",
                            "anaconda3",
                            "bin condabin conda-meta envs etc lib libexec share"),
                    plain(
                            "conda",
                            "miniforge3",
                            "bin condabin conda-meta envs etc lib libexec share"),
                    plain("juliaup", ".juliaup", "bin").with("julia"),
                    exporting("JULIAUP_DEPOT_PATH", "julia", ".julia", "juliaup"),
                    plain("ghcup", ".ghcup", "bin cabal ghc hls stack"),
                    plain("cabal", ".cabal/bin", ""),
                    plain("coursier", ".local/share/coursier/bin", "").with("coursier-cache"),
                    plain("coursier-cache", ".cache/coursier", "arc jvm v1"),
                    exporting(
                                    "DOTNET_ROOT",
                                    "dotnet",
                                    ".dotnet",
                                    "dotnet host packs sdk shared templates")
                            .with("dotnet-tools"),
                    plain("dotnet-tools", ".dotnet/tools", ""),
                    plain("composer", ".config/composer/vendor", ""),
                    plain("composer", ".composer/vendor", ""),
                    plain("krew", ".krew", "bin store"),
                    plain("swiftly", ".local/share/swiftly", "bin toolchains"),
                    plain("flutter", "flutter", "bin packages version"),
                    exporting(
                            "ANDROID_HOME",
                            "android",
                            "Android/Sdk",
                            "build-tools cmdline-tools ndk platform-tools platforms tools"));

    Toolchain {
        shown = List.copyOf(shown);
        companions = List.copyOf(companions);
    }

    private static Toolchain plain(String name, String root, String shown) {
        List<Path> parts = List.of(shown.split(" ", -1)).stream().map(Path::of).toList();
        return new Toolchain(
                name, Path.of(root), Optional.empty(), false, Path.of(""), parts, List.of());
    }

    private static Toolchain moved(String variable, String name, String root, String shown) {
        Toolchain p = plain(name, root, shown);
        return new Toolchain(
                p.name, p.root, Optional.of(variable), false, p.trigger, p.shown, p.companions);
    }

    private static Toolchain exporting(String variable, String name, String root, String shown) {
        Toolchain p = plain(name, root, shown);
        return new Toolchain(
                p.name, p.root, Optional.of(variable), true, p.trigger, p.shown, p.companions);
    }

    private Toolchain below(String folder) {
        return new Toolchain(name, root, variable, exported, Path.of(folder), shown, companions);
    }

    private Toolchain with(String... others) {
        return new Toolchain(name, root, variable, exported, trigger, shown, List.of(others));
    }
}
