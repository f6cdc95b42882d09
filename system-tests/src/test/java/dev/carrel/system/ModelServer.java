package dev.carrel.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The services of models, played by a script: what a prompt asks for decides what the model does.
 * See {@code model_server.py}.
 */
final class ModelServer {

    /** The one key that it takes. */
    static final String KEY = "made-up-key-of-a-test";

    private static final Path SCRIPTS = Path.of("src/test/model-server").toAbsolutePath();
    private static final Pattern PORT = Pattern.compile("\"port\": (\\d+)");

    private final Process process;
    private final int port;
    private final Path bodies;

    private ModelServer(Process process, int port, Path bodies) {
        this.process = process;
        this.port = port;
        this.bodies = bodies;
    }

    /** One that speaks plain HTTP; what it is asked goes below the directory. */
    static ModelServer plain(Path directory) throws Exception {
        return started(directory, List.of());
    }

    /** One that shows a certificate for these hosts, of an authority in {@code ca.pem}. */
    static ModelServer tls(Path directory, List<String> hosts) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(SCRIPTS.resolve("make_certs.sh").toString());
        words.add(directory.toString());
        words.addAll(hosts);
        Path said = directory.resolve("openssl.log");
        int exit =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start()
                        .waitFor();
        if (exit != 0) {
            throw new AssertionError("no certificates: " + Files.readString(said));
        }
        return started(directory, List.of("--cert", directory.resolve("server.pem").toString()));
    }

    private static ModelServer started(Path directory, List<String> more) throws IOException {
        Path bodies = Files.createDirectory(directory.resolve("bodies"));
        List<String> words = new ArrayList<>();
        words.add("python3");
        words.add(SCRIPTS.resolve("model_server.py").toString());
        // It never outlives this process, which holds the other end.
        words.add("--exit-with-stdin");
        words.addAll(List.of("--require-key", KEY));
        words.addAll(List.of("--dump", bodies.toString()));
        words.addAll(more);
        Process process =
                new ProcessBuilder(words)
                        .redirectError(directory.resolve("server.log").toFile())
                        .start();
        Matcher said = PORT.matcher(String.valueOf(process.inputReader().readLine()));
        if (!said.find()) {
            throw new AssertionError(Files.readString(directory.resolve("server.log")));
        }
        return new ModelServer(process, Integer.parseInt(said.group(1)), bodies);
    }

    int port() {
        return port;
    }

    /** Whether a request held all of these words. */
    boolean wasTold(String... words) throws IOException {
        try (Stream<Path> files = Files.list(bodies)) {
            for (Path file : files.toList()) {
                String body = Files.readString(file);
                if (Stream.of(words).allMatch(body::contains)) {
                    return true;
                }
            }
        }
        return false;
    }

    void close() throws Exception {
        process.getOutputStream().close();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
