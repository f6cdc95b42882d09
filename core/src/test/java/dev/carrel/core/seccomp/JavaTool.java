package dev.carrel.core.seccomp;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** What a Java program does with the system: threads, a process, a socket. Prints "fine". */
final class JavaTool {

    private JavaTool() {}

    public static void main(String[] arguments) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var served =
                    threads.submit(() -> {
                        try (var peer = server.accept()) {
                            var echo = new ProcessBuilder("echo", "fine").start();
                            peer.getOutputStream().write(echo.getInputStream().readAllBytes());
                        }
                        return true;
                    });
            try (var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                System.out.print(
                        new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
            served.get();
        }
    }
}
