package dev.carrel.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The way out of a session, beside none at all and beside other proxies. */
record EgressContests(Workbench bench) {

    private static final long BYTES = 1L << 30;
    private static final String DIRECT = "direct";
    private static final String CARREL = "in a session: bridge and proxy";
    private static final String TINYPROXY = "tinyproxy";
    private static final String SRT = "srt: bridge and proxy";

    Contest start() throws Exception {
        Path repository = bench.repository("egress-start", 20);
        return new Contest(
                "A fresh session that may reach a host",
                "The same command line with and without `--allow`.",
                "carrel run -- true",
                2,
                15,
                List.of(
                        Contender.of("carrel run -- true", () -> run(repository, List.of())),
                        Contender.of(
                                "carrel run --allow example.org -- true",
                                () -> run(repository, List.of("--allow", "example.org")))));
    }

    private void run(Path repository, List<String> options) throws Exception {
        List<String> words = new ArrayList<>(List.of(bench.carrel().toString(), "run"));
        words.addAll(options);
        words.addAll(List.of("--", "true"));
        bench.run(repository, bench.directory().resolve("workspaces"), words);
    }

    Contest transfer() throws Exception {
        int server = LocalServers.download(BYTES);
        List<String> curl = curl(server);
        Session session = session("egress-transfer", server);
        int tiny = tinyproxy();
        return new Contest(
                "1 GiB through one connection",
                "From a server on this machine to curl, plain HTTP in a tunnel; the start of curl is"
                        + " in it.",
                DIRECT,
                1,
                7,
                List.of(
                        Contender.of(DIRECT, () -> Workbench.start(curl)),
                        Contender.of(
                                CARREL, () -> Library.run(session, tunnelled(curl, "$HTTP_PROXY"))),
                        other(
                                TINYPROXY,
                                tiny > 0,
                                () ->
                                        Workbench.start(
                                                List.of(
                                                        tunnelled(
                                                                curl,
                                                                "http://127.0.0.1:" + tiny)))),
                        other(
                                SRT,
                                Files.isExecutable(srt()),
                                () ->
                                        bench.run(
                                                bench.directory(),
                                                srt(tunnelled(curl, "$HTTP_PROXY"))))));
    }

    private static Contender other(String name, boolean there, Contender.Action action) {
        return there
                ? Contender.foreign(name, action)
                : new Contender.Missing(name, "not on this machine");
    }

    private static List<String> curl(int server) {
        return List.of("curl", "-sSf", "-o", "/dev/null", "http://127.0.0.1:" + server + "/");
    }

    /** Through a proxy although the address is local, and in a tunnel although it is plain HTTP. */
    private static String[] tunnelled(List<String> curl, String proxy) {
        return new String[] {
            "sh",
            "-c",
            "exec " + String.join(" ", curl) + " --noproxy '' --proxytunnel --proxy " + proxy
        };
    }

    Contest delay() throws Exception {
        int server = LocalServers.echo();
        int tiny = tinyproxy();
        Path classes = Files.createDirectories(bench.directory().resolve("egress-delay/classes"));
        bench.run(
                bench.root().resolve("bench/target/classes"), "cp", "-r", ".", classes.toString());
        // With the classes in it.
        Session session = session("egress-delay", server);
        List<String> java =
                List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classes.toString(),
                        Echoes.class.getName(),
                        Integer.toString(server));
        return new Contest(
                "What a proxy adds to an answer",
                "100 connections that each send 64 bytes every 20 ms and get them back: the time that"
                        + " 99 of 100 stay below.",
                DIRECT,
                1,
                7,
                List.of(
                        Contender.measured(DIRECT, () -> said(java), false),
                        Contender.measured(CARREL, () -> saidInside(session, server), false),
                        tiny > 0
                                ? Contender.measured(
                                        TINYPROXY,
                                        () -> said(Workbench.words(java, Integer.toString(tiny))),
                                        true)
                                : new Contender.Missing(TINYPROXY, "not on this machine")));
    }

    private static double said(List<String> argv) throws Exception {
        Process process =
                new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new Workbench.ProgramFailed(text);
        }
        return Double.parseDouble(text.strip());
    }

    private static double saidInside(Session session, int server) throws Exception {
        CommandResult result =
                session.run(
                        CommandRequest.of(
                                        "sh",
                                        "-c",
                                        "unset JAVA_TOOL_OPTIONS; exec \"$0\" -XX:+UseSerialGC -cp classes"
                                                + " dev.carrel.bench.Echoes "
                                                + server
                                                + " ${HTTP_PROXY##*:}",
                                        System.getProperty("java.home") + "/bin/java")
                                .with(new CommandRequest.Streams.Captured()));
        if (result.exit() != 0) {
            throw new Workbench.ProgramFailed(result.errorText());
        }
        return Double.parseDouble(result.outputText().strip());
    }

    /** One that may reach a server of this machine, and is kept running. */
    @SuppressWarnings("MustBeClosedChecker")
    private Session session(String name, int server) throws Exception {
        Path repository = bench.repository(name, 5);
        Library library = Library.at(bench, bench.directory().resolve("workspaces"));
        SessionRequest plain = SessionRequest.of(repository);
        EgressPolicy policy =
                EgressPolicy.NONE.with(
                        EgressRules.parse(List.of("tcp://127.0.0.1:" + server), List.of()));
        Session session =
                library.sessions()
                        .create(
                                new SessionRequest(
                                        plain.repos(),
                                        plain.name(),
                                        plain.policy().with(new NetworkAccess.Own(policy)),
                                        true,
                                        List.of(),
                                        List.of()));
        KeptRunning kept = session.keepRunning();
        Runtime.getRuntime().addShutdownHook(new Thread(kept::close));
        return session;
    }

    /** Its port; 0 where it is not on this machine. */
    private int tinyproxy() throws Exception {
        Path program = Path.of("/usr/bin/tinyproxy");
        if (!Files.isExecutable(program)) {
            return 0;
        }
        int port = freePort();
        Path settings = bench.directory().resolve("tinyproxy-" + port + ".conf");
        Files.writeString(
                settings,
                "Port "
                        + port
                        + "\nListen 127.0.0.1\nTimeout 600\nMaxClients 200\nLogLevel Critical\n");
        Process process =
                new ProcessBuilder(program.toString(), "-d", "-c", settings.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        Thread.sleep(500);
        return port;
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return probe.getLocalPort();
        }
    }

    private Path srt() {
        return bench.peer("node_modules/.bin/srt");
    }

    private String[] srt(String... command) throws IOException {
        Path settings = bench.directory().resolve("srt-egress.json");
        Files.writeString(
                settings,
                """
                {"network": {"allowedDomains": ["127.0.0.1"], "deniedDomains": []},
                 "filesystem": {"denyRead": [], "allowWrite": ["."], "denyWrite": []}}
                """);
        List<String> argv = new ArrayList<>(List.of(srt().toString(), "-s", settings.toString()));
        argv.addAll(List.of(command));
        return argv.toArray(String[]::new);
    }
}
