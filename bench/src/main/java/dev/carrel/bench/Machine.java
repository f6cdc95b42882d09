package dev.carrel.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What a reader has to know of the machine to make something of the numbers. */
final class Machine {

    private Machine() {}

    static List<String> describe(Workbench bench) throws Exception {
        return List.of(
                "| date | "
                        + ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES)
                        + " |",
                "| --- | --- |",
                "| processor | "
                        + processor()
                        + ", "
                        + Runtime.getRuntime().availableProcessors()
                        + " cores |",
                "| memory | " + meminfo() + " |",
                "| kernel | " + said("uname", "-sr") + " |",
                "| file system | " + Files.getFileStore(bench.directory()).type() + " |",
                "| Java | "
                        + System.getProperty("java.vendor")
                        + " "
                        + System.getProperty("java.vm.version")
                        + " |",
                "| bubblewrap | " + said(bench.bwrap().toString(), "--version") + " |",
                "| git | " + said("git", "--version") + " |",
                "| sandbox-runtime | " + peer(bench, "@anthropic-ai/sandbox-runtime") + " |",
                "| codex | " + peer(bench, "@openai/codex") + " |",
                "| user | " + said("id", "-u").replaceFirst("^0$", "root") + " |",
                "| load at the start | " + load() + " |");
    }

    /** Of the last minute. */
    static String load() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
    }

    private static String processor() throws IOException {
        return field(Path.of("/proc/cpuinfo"), "model name");
    }

    private static String meminfo() throws IOException {
        return field(Path.of("/proc/meminfo"), "MemTotal");
    }

    private static String field(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }

    private static String peer(Workbench bench, String name) throws IOException {
        Path description = bench.peer("node_modules").resolve(name).resolve("package.json");
        if (!Files.exists(description)) {
            return "not on this machine";
        }
        return Files.readAllLines(description).stream()
                .filter(line -> line.contains("\"version\""))
                .map(line -> line.replaceAll(".*: *\"|\".*", ""))
                .findFirst()
                .orElse("unknown");
    }

    private static String said(String... argv) throws Exception {
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        String text =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.waitFor();
        return text;
    }
}
