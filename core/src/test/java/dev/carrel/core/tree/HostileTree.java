package dev.carrel.core.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What a hostile process may leave behind, around a victim outside that must stay as it is. */
final class HostileTree {

    static final int DEPTH = 1500;
    static final int CLOSED_EVERY = 500;

    final Path host;
    final Path victim;
    final Path tree;

    private HostileTree(Path host) {
        this.host = host;
        this.victim = host.resolve("victim");
        this.tree = host.resolve("tree");
    }

    static HostileTree in(Path host) throws IOException {
        HostileTree hostile = new HostileTree(host);
        Files.createDirectories(hostile.victim.resolve("inside"));
        Files.writeString(hostile.victim.resolve("file"), "precious");
        Files.writeString(hostile.victim.resolve("inside/file"), "precious, too");
        Files.createDirectory(hostile.tree);
        try (Dir dir = Dir.open(hostile.tree)) {
            hostile.links(dir);
            specialFiles(dir);
            names(dir);
            modes(dir);
            deep(dir);
        }
        hostile.socket();
        return hostile;
    }

    private void links(Dir dir) {
        dir.symlink(Names.bytes(victim.toString()), Names.bytes("link-to-directory"));
        dir.symlink(Names.bytes("../victim/file"), Names.bytes("link-to-file"));
        dir.symlink(Names.bytes("/"), Names.bytes("link-to-root"));
        dir.symlink(Names.bytes("nowhere"), Names.bytes("dangling"));
        dir.symlink(Names.bytes("circle"), Names.bytes("circle"));
    }

    private static void specialFiles(Dir dir) {
        dir.makeFifo(Names.bytes("fifo"), 0644);
        dir.makeWhiteout(Names.bytes("whiteout"));
    }

    private static void names(Dir dir) {
        byte[] longest = new byte[255];
        Arrays.fill(longest, (byte) 0xff);
        dir.makeDir(longest, 0700);
        for (String name : List.of("new\nline", "-rf", " ", "*", "\u001b[2J", "...")) {
            create(dir, Names.bytes(name), 0600);
        }
        try (Dir inside = dir.openDir(longest)) {
            create(inside, longest, 0600);
        }
    }

    private static void modes(Dir dir) {
        create(dir, Names.bytes("set-id"), 06755);
        create(dir, Names.bytes("unreadable"), 0);
        for (int mode : new int[] {0, 0111, 0444, 0555, 01777}) {
            byte[] name = Names.bytes("mode-" + Integer.toOctalString(mode));
            dir.makeDir(name, 0700);
            try (Dir inside = dir.openDir(name)) {
                create(inside, Names.bytes("file"), 0);
                inside.makeDir(Names.bytes("empty"), 0);
            }
            dir.chmod(name, mode);
        }
    }

    /** Far deeper than a path can be long, with a closed directory every 500 levels. */
    private static void deep(Dir dir) {
        byte[] name = Names.bytes("d".repeat(100));
        Dir above = dir.walk(TreePath.ROOT).orElseThrow();
        Dir current = dir.walk(TreePath.ROOT).orElseThrow();
        for (int depth = 0; depth < DEPTH; depth++) {
            current.makeDir(name, 0700);
            Dir next = current.openDir(name);
            create(next, Names.bytes("f"), 0600);
            if (depth > 0 && depth % CLOSED_EVERY == 0) {
                above.chmod(name, 0); // the current one, which is not needed any more
            }
            above.close();
            above = current;
            current = next;
        }
        above.close();
        current.close();
    }

    private static void create(Dir dir, byte[] name, int mode) {
        dir.create(name, mode).close();
    }

    private void socket() throws IOException {
        var address = UnixDomainSocketAddress.of(tree.resolve("socket"));
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address); // the entry stays when the socket is closed
        }
    }

    /** Everything about the victim, to compare before and after. */
    String victimState() throws IOException {
        StringBuilder state = new StringBuilder();
        try (Stream<Path> paths = Files.walk(victim)) {
            for (Path path : paths.sorted().toList()) {
                state.append(path)
                        .append(' ')
                        .append(
                                Files.readAttributes(
                                        path,
                                        "unix:mode,uid,gid,ino,nlink,lastModifiedTime,ctime",
                                        LinkOption.NOFOLLOW_LINKS))
                        .append(' ')
                        .append(Files.isDirectory(path) ? "" : content(path))
                        .append('\n');
            }
        }
        return state.toString();
    }

    private static String content(Path path) throws IOException {
        return new String(Files.readAllBytes(path), UTF_8);
    }
}
