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
            System.getProperty("java.home")
                    + "/bin/java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp /tmp Fetch ";

    /** Prints what is at each address, until it cannot. */
    private static final String PROGRAM =
            """
            import java.net.*;
            import java.net.http.*;
            public class Fetch {
                public static void main(String[] args) throws Exception {
                    System.out.println("user.home is " + System.getProperty("user.home"));
                    for (int i = 1; i < args.length; i++) {
                        URI uri = URI.create(args[i]);
                        if (args[0].equals("new")) {
                            System.out.println(HttpClient.newHttpClient().send(
                                HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body());
                        } else {
                            uri.toURL().openStream().transferTo(System.out);
                        }
                        System.out.flush();
                    }
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
                                + "/bin/javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC"
                                + " -proc:none /tmp/Fetch.java",
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
        clients().reachesNoOther(client, script, "what is served");
    }

    @Test
    @Tag("NW-41")
    void httpClient() throws Exception {
        fetches("new", JAVA + "new @URL@/file @DENIED@/file");
    }

    @Test
    void httpUrlConnection() throws Exception {
        fetches("old", JAVA + "old @URL@/file @DENIED@/file");
    }

    @Test
    void optionsOfTheCallerAreAddedToTheProxys() throws Exception {
        CommandResult result =
                clients()
                        .run(
                                JAVA + "old @URL@/file",
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

    /**
     * Of two projects, the one's parent is where it may be fetched, the other's where it may not.
     */
    private void builds(String client, String program) throws Exception {
        String build =
                """
                rm -rf m && mkdir -p m/allowed m/denied && cd m && cat >pom.xml <<E
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>test</groupId><artifactId>all</artifactId><version>1</version>
                  <packaging>pom</packaging>
                  <modules><module>allowed</module><module>denied</module></modules>
                </project>
                E
                project() {
                cat >$1/pom.xml <<E
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <parent>
                    <groupId>test</groupId><artifactId>$2</artifactId><version>1</version>
                    <relativePath/>
                  </parent>
                  <artifactId>$1</artifactId><packaging>pom</packaging>
                  <repositories><repository><id>central</id><url>$3/maven</url></repository></repositories>
                </project>
                E
                }
                project allowed sample @URL@ && project denied other @DENIED@
                export MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms64m"
                """
                        + "JAVA_HOME="
                        + System.getProperty("java.home")
                        + " "
                        + program
                        + " -B -Dmaven.repo.local=repository validate";
        String fetched =
                "Downloaded from central: "
                        + clients().url(Clients.HOST)
                        + "/maven/test/sample/1/sample-1.pom";
        clients().reachesNoOther(client, build, fetched);
    }
}
