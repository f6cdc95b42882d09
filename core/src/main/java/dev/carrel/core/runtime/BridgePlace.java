package dev.carrel.core.runtime;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.store.Ownership;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.Dir;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of one bridge. The sandbox user owns what the bridge sees, so that nobody else of
 * the host connects to it.
 */
public final class BridgePlace {

    private final Users owners;
    private final Path directory;
    private final Dir sockets;

    private BridgePlace(Users owners, Path directory, Ownership owner) {
        this.owners = owners;
        this.directory = directory;
        SessionLayout.createLeaf(directory.resolve("sockets"), owner);
        this.sockets = Dir.open(directory.resolve("sockets"));
    }

    /** A fresh one for a bridge of this process; those of killed processes are removed. */
    public static BridgePlace create(RuntimeFiles files, Identity identity) {
        Ownership owner = new Ownership(identity.uid(), identity.gid());
        if (!Files.exists(files.bridges())) {
            SessionLayout.createLeaf(files.bridges(), owner);
        }
        Users owners = new Users(files.bridges());
        owners.tidy();
        return new BridgePlace(owners, owners.register(), owner);
    }

    /** What the bridge sees. */
    Path sockets() {
        return directory.resolve("sockets");
    }

    /** The name of the socket, which no other bridge of the session has. */
    String name() {
        return String.valueOf(directory.getFileName());
    }

    /** The socket, which the bridge makes. */
    public Path socket() {
        return sockets().resolve(name());
    }

    /**
     * A connection to it. The kernel takes no path of more than 107 bytes, so it goes by the
     * descriptor of its directory.
     */
    public SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(sockets.shortPath().resolve(name())));
    }

    Path argsFile() {
        return directory.resolve("args");
    }

    Path statusFile() {
        return directory.resolve("status");
    }

    Path errorFile() {
        return directory.resolve("error");
    }

    String complaint() {
        try {
            String text = Files.readString(errorFile()).strip();
            return text.isEmpty() ? "it gave no reason" : text;
        } catch (IOException e) {
            return "it gave no reason";
        }
    }

    void remove() {
        sockets.close();
        owners.unregister(directory);
    }
}
