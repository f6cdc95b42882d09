package dev.carrel.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Many connections at once that each send a few bytes every now and then and wait for them to come
 * back. Prints the time that 99 of 100 stay below, in milliseconds.
 *
 * <p>Arguments: the port of an echo server on this machine; then, for a way through a proxy, the
 * port of that. Uses nothing but the JDK, for it also runs inside of sandboxes.
 */
public final class Echoes {

    private static final int CONNECTIONS = 100;
    private static final int ROUNDS = 100;
    private static final int WARM_UPS = 50;
    private static final long PAUSE_MILLIS = 20;
    private static final int BYTES = 64;
    private static final double NANOS_PER_MILLI = 1e6;

    private Echoes() {}

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        int server = Integer.parseInt(arguments[0]);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            sockets.add(
                    arguments.length == 1
                            ? opened(server)
                            : tunnel(Integer.parseInt(arguments[1]), server));
        }
        List<Double> times = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Socket socket : sockets) {
            threads.add(Thread.ofVirtual().start(() -> converse(socket, times)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (times.size() != CONNECTIONS * ROUNDS) {
            throw new IllegalStateException("connections were cut: " + times.size());
        }
        times.sort(null);
        System.out.println(times.get(times.size() * 99 / 100));
    }

    private static Socket opened(int port) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
        return socket;
    }

    private static Socket tunnel(int proxy, int server) throws IOException {
        Socket socket = opened(proxy);
        String to = "127.0.0.1:" + server;
        socket.getOutputStream()
                .write(
                        ("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n\r\n")
                                .getBytes(ISO_8859_1));
        String head = head(socket.getInputStream());
        if (!head.contains(" 200 ")) {
            throw new IOException(head.strip());
        }
        return socket;
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            head.append((char) c);
            if (head.toString().endsWith("\r\n\r\n")) {
                break;
            }
        }
        return head.toString();
    }

    private static void converse(Socket socket, List<Double> times) {
        byte[] sent = new byte[BYTES];
        byte[] back = new byte[BYTES];
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            for (int round = -WARM_UPS; round < ROUNDS; round++) {
                Thread.sleep(PAUSE_MILLIS);
                long start = System.nanoTime();
                socket.getOutputStream().write(sent);
                in.readFully(back);
                if (round >= 0) {
                    double time = (System.nanoTime() - start) / NANOS_PER_MILLI;
                    synchronized (times) {
                        times.add(time);
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            // Counted by what is missing.
        }
    }
}
