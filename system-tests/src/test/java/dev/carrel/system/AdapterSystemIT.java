package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.system.Installation.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of an adapter, built and used as its page says. */
@Timeout(120)
class AdapterSystemIT {

    private static final Path EXAMPLE = Path.of("../docs/examples/EchoAgent.java");

    private Installation installation;

    @BeforeEach
    void open() throws Exception {
        installation = Installation.open();
    }

    @AfterEach
    void close() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    private Path jar() throws Exception {
        Path classes = Files.createDirectory(installation.file("classes"));
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.carrel.core.adapter.AgentAdapter"), "EchoAgent\n");
        Path tools = Path.of(System.getProperty("java.home"), "bin");
        Answer compiled =
                installation.host(
                        tools.resolve("javac").toString(),
                        "-cp",
                        Path.of(System.getProperty("carrel.dist"), "lib", "*").toString(),
                        "-d",
                        classes.toString(),
                        EXAMPLE.toAbsolutePath().normalize().toString());
        assertThat(compiled.exit()).as(compiled.err()).isZero();
        Path jar = installation.file("echo.jar");
        Answer packed =
                installation.host(
                        tools.resolve("jar").toString(),
                        "-cf",
                        jar.toString(),
                        "-C",
                        classes.toString(),
                        ".");
        assertThat(packed.exit()).as(packed.err()).isZero();
        return jar;
    }

    private Answer carrel(Path jar, String... words) throws Exception {
        String[] all = new String[words.length + 1];
        all[0] = Installation.program();
        System.arraycopy(words, 0, all, 1, words.length);
        ProcessBuilder builder = installation.prepared(all);
        builder.environment().put("CARREL_ADAPTERS", jar.toString());
        return installation.answer(builder);
    }

    @Test
    void aJarBringsAFifthAgent() throws Exception {
        Path jar = jar();

        assertThat(carrel(jar, "agent", "list").out()).contains("echo\n  program: /usr/bin/cat");
        Answer answer = carrel(jar, "agent", "echo", "hello");
        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out()).isEqualTo("hello\n");

        Answer without = installation.carrel("agent", "echo", "hello");
        assertThat(without.exit()).isEqualTo(1);
        assertThat(without.err()).contains("there is no agent 'echo'");
    }
}
