package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinkWalkTest {

    @Test
    void followsRelativeAndAbsoluteLinksAndRemembersThem() {
        HostFiles files =
                new InventedFiles()
                        .folder("/data/tool/bin")
                        .link("/home/a/tool", "../../data/tool")
                        .link("/home/a/current", "/home/a/tool/bin");

        LinkWalk walk = LinkWalk.of(files, Path.of("/home/a/current")).orElseThrow();

        assertThat(walk.target()).isEqualTo(Path.of("/data/tool/bin"));
        assertThat(walk.links())
                .containsExactly(Path.of("/home/a/current"), Path.of("/home/a/tool"));
    }

    @Test
    void findsNothingBehindALoopAMissingNameOrAFile() {
        HostFiles files =
                new InventedFiles()
                        .link("/a", "b")
                        .link("/b", "a")
                        .file("/file", 0, 0644)
                        .link("/dangling", "nowhere");

        assertThat(files.resolve(Path.of("/a"))).isEmpty();
        assertThat(files.resolve(Path.of("/dangling"))).isEmpty();
        assertThat(files.resolve(Path.of("/file/below"))).isEmpty();
        assertThat(files.resolve(Path.of("/file"))).contains(Path.of("/file"));
    }

    @Test
    void agreesWithTheKernelOnRealLinks(@TempDir Path temporary) throws IOException {
        Path folder = Files.createDirectories(temporary.resolve("x/y"));
        Files.createSymbolicLink(temporary.resolve("l1"), Path.of("x/../x/./y"));
        Files.createSymbolicLink(folder.resolve("up"), Path.of("../../l1/.."));

        Path tried = temporary.resolve("l1/up/y");

        assertThat(new LiveFiles().resolve(tried)).contains(tried.toRealPath());
    }
}
