package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.BridgeOptions;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.store.Ownership;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.Dir;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of one bridge. The sandbox user owns what the bridge sees, so that nobody else of
 * the host connects to it.
 */
public final class BridgePlace {

    /** Connections that wait to be accepted. */
    private static final int BACKLOG = 512;

    private static final byte[] SOCKET = BridgeOptions.SOCKET.getBytes(StandardCharsets.US_ASCII);

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

    /** The socket: of this process for a bridge outward, of the bridge for one inward. */
    public Path socket() {
        return sockets().resolve(BridgeOptions.SOCKET);
    }

    /**
     * The name of the socket for calls of this process: the kernel takes no path of more than 107
     * bytes, so it goes by the descriptor of its directory.
     */
    public Path shortSocket() {
        return sockets.shortPath().resolve(BridgeOptions.SOCKET);
    }

    /** Lets the bridge connect to the socket, which this process has made. */
    public void giveSocketTo(Identity identity) {
        if (identity.switched()) {
            sockets.chown(SOCKET, identity.uid(), identity.gid());
        }
    }

    /**
     * A socket of this process for a bridge outward, which only the sandbox user and this one can
     * connect to.
     *
     * @throws HostOperationException if it cannot be made
     */
    public ServerSocketChannel listen(Identity identity) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(shortSocket()), BACKLOG);
            giveSocketTo(identity);
            return server;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot listen at " + socket() + ": " + e.getMessage(), null, e);
        }
    }

    /** A connection to the socket of a bridge inward. */
    public SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(shortSocket()));
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
