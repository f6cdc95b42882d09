cat > T.java <<'J'
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.*;

class T {
    public static void main(String[] args) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> {
                try (var peer = server.accept()) {
                    var echo = new ProcessBuilder("echo", "fine").start();
                    peer.getOutputStream().write(echo.getInputStream().readAllBytes());
                }
                return null;
            });
            try (var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                System.out.print(new String(client.getInputStream().readAllBytes(),
                        StandardCharsets.UTF_8));
            }
        }
    }
}
J
"$1" -version 2>/dev/null
"$1" -XX:TieredStopAtLevel=1 T.java
