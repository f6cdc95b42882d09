package dev.carrel.core.host;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Optional;

/**
 * The part of the host that every sandbox sees: programs, libraries, and those files of {@code
 * /etc} that tools read. Files of {@code /etc} that can hold a password or token are left out, even
 * where a tool reads them: accounts, keys, package sources, global settings of git, npm, pip,
 * Subversion and Maven, the environment. So are those that the session writes itself (passwd,
 * group, hosts, resolv.conf).
 */
record SystemView(HostFiles files) {

    private static final List<String> TOP_LINKS =
            List.of("/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin");

    private static final List<String> TREES = List.of("/opt", "/nix/store");

    /** Paths below /etc; the last name may hold wildcards. */
    private static final List<String> ETC =
            List.of(
                    // run-time linker, alternatives, names, time, language
                    "ld.so.cache",
                    "ld.so.conf",
                    "ld.so.conf.d",
                    "ld-musl-*.path",
                    "alternatives",
                    "nsswitch.conf",
                    "protocols",
                    "services",
                    "localtime",
                    "timezone",
                    "locale.alias",
                    "locale.conf",
                    // certificates that are public, never the private keys beside them
                    "ssl/certs",
                    "ssl/cert.pem",
                    "ssl/ca-bundle.pem",
                    "ca-certificates/extracted",
                    "ssl/openssl.cnf",
                    "pki/ca-trust",
                    "pki/java",
                    "pki/tls/certs",
                    "pki/tls/cert.pem",
                    "pki/tls/openssl.cnf",
                    "crypto-policies",
                    "gnutls",
                    // what this system is
                    "os-release",
                    "lsb-release",
                    "debian_version",
                    "*-release",
                    "dpkg/origins",
                    // terminals, shells, editors, manuals
                    "terminfo",
                    "inputrc",
                    "bash.bashrc",
                    "vim",
                    "nanorc",
                    // file types, fonts, graphics, markup
                    "magic",
                    "magic.mime",
                    "mime.types",
                    "mailcap",
                    "fonts",
                    "glvnd",
                    "vulkan",
                    "OpenCL",
                    "ImageMagick-*",
                    "sgml",
                    "xml",
                    "texmf",
                    // languages whose run time reads /etc
                    "java",
                    "java-*",
                    "python*",
                    "perl",
                    "php",
                    "R",
                    "mono",
                    "dotnet",
                    "gdb",
                    "ant.conf",
                    "ant.d",
                    "maven/m2.conf",
                    "maven/logging",
                    "maven/toolchains.xml");

    void addTo(ViewBuilder view) {
        view.show(Path.of("/usr"), Path.of("/usr"));
        for (String name : TOP_LINKS) {
            addAsOnHost(view, Path.of(name));
        }
        for (String tree : TREES) {
            if (files.isDirectory(Path.of(tree))) {
                addAsOnHost(view, Path.of(tree));
            }
        }
        for (String pattern : ETC) {
            matches(Path.of("/etc", pattern)).forEach(path -> addAsOnHost(view, path));
        }
    }

    private List<Path> matches(Path pattern) {
        String last = String.valueOf(pattern.getFileName());
        Path folder = Optional.ofNullable(pattern.getParent()).orElse(Path.of("/"));
        if (!last.contains("*")) {
            return List.of(pattern);
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + last);
        return files.names(folder).stream()
                .filter(name -> matcher.matches(Path.of(name)))
                .map(folder::resolve)
                .toList();
    }

    /** A link into what is shown stays a link; any other becomes what it points to. */
    private void addAsOnHost(ViewBuilder view, Path path) {
        Optional<LinkWalk> walk = LinkWalk.of(files, path);
        if (walk.isEmpty() || view.paths().visible(path)) {
            return;
        }
        Path target = walk.get().target();
        if (files.look(target).filter(e -> e.kind() == HostFiles.Kind.SPECIAL).isPresent()) {
            return;
        }
        Optional<HostFiles.Entry> entry = files.look(path);
        boolean plainLink = entry.isPresent() && walk.get().links().equals(List.of(path));
        if (plainLink && view.paths().covered(target)) {
            view.link(entry.get().linkText(), path);
        } else {
            view.show(target, path);
        }
    }
}
