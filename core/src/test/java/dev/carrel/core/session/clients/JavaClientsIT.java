package dev.carrel.core.session.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Java's own clients, and Maven. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JavaClientsIT {

    private static final String JAVA =
            System.getProperty("java.home") + "/bin/java -XX:TieredStopAtLevel=1 -cp /tmp ";

    private static final String PROGRAM =
            """
            import java.net.*;
            import java.net.http.*;
            public class Fetch {
                public static void main(String[] args) throws Exception {
                    URI uri = URI.create(args[1]);
                    if (args[0].equals("new")) {
                        System.out.println(HttpClient.newHttpClient().send(
                            HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body());
                    } else {
                        new URI(args[1]).toURL().openStream().transferTo(System.out);
                    }
                    System.out.println("user.home is " + System.getProperty("user.home"));
                }
            }
            """;

    private @Nullable Clients clients;

    private Clients clients() {
        return Objects.requireNonNull(clients);
    }

    @BeforeAll
    void start() throws Exception {
        Requirements.program("socat");
        clients = new Clients(List.of(), mounts());
        clients.server.serve("/file", "what is served");
        Packages.maven(clients.server);
        CommandResult compiled =
                clients.run(
                        "cat >/tmp/Fetch.java <<'E'\n"
                                + PROGRAM
                                + "E\n"
                                + System.getProperty("java.home")
                                + "/bin/javac -J-XX:TieredStopAtLevel=1 -proc:none /tmp/Fetch.java",
                        Map.of());
        assertThat(compiled.exit()).as(Clients.said(compiled)).isZero();
    }

    private static List<SessionRequest.MountRequest> mounts() {
        return Clients.downloaded("maven")
                .map(maven ->
                        List.of(
                                new SessionRequest.MountRequest(
                                        maven, Optional.of("/clients/maven"))))
                .orElse(List.of());
    }

    @AfterAll
    void stop() throws Exception {
        if (clients != null) {
            clients.close();
        }
    }

    private void fetches(String client, String script) throws Exception {
        clients().reaches(script, "what is served");
        clients().isDenied(client, script);
    }

    @Test
    @Tag("NW-41")
    void httpClient() throws Exception {
        fetches("new", JAVA + "Fetch new @URL@/file");
    }

    @Test
    void httpUrlConnection() throws Exception {
        fetches("old", JAVA + "Fetch old @URL@/file");
    }

    @Test
    void optionsOfTheCallerAreAddedToTheProxys() throws Exception {
        CommandResult result =
                clients()
                        .run(
                                JAVA + "Fetch old @URL@/file",
                                Map.of("JAVA_TOOL_OPTIONS", "-Duser.home=/elsewhere"));
        assertThat(result.outputText())
                .as(Clients.said(result))
                .contains("what is served", "user.home is /elsewhere");
    }

    @Test
    void mavenOfTheSystem() throws Exception {
        Path maven = Requirements.program("mvn");
        builds("maven", maven.toString());
    }

    @Test
    void maven39() throws Exception {
        Clients.downloads("maven");
        builds("maven39", "/clients/maven/bin/mvn");
    }

    private void builds(String client, String program) throws Exception {
        String build =
                """
                rm -rf m && mkdir m && cd m && cat >pom.xml <<E
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <parent>
                    <groupId>test</groupId><artifactId>sample</artifactId><version>1</version>
                    <relativePath/>
                  </parent>
                  <artifactId>project</artifactId><packaging>pom</packaging>
                  <repositories><repository><id>central</id><url>@URL@/maven</url></repository></repositories>
                </project>
                E
                export MAVEN_OPTS=-XX:TieredStopAtLevel=1
                """
                        + "JAVA_HOME="
                        + System.getProperty("java.home")
                        + " "
                        + program
                        + " -B -Dmaven.repo.local=repository validate";
        clients().reaches(build, "BUILD SUCCESS");
        clients().isDenied(client, build);
    }
}
