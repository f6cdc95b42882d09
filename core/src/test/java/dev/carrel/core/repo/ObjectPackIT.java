package dev.carrel.core.repo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.testing.InMemory;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectPackIT {

    private final ProcessRunner runner = new HostProcessRunner();
    private @TempDir(factory = InMemory.class) Path temp;

    @BeforeEach
    void requireGit() {
        Requirements.program("git");
    }

    private String say(ScratchGit git, String... words) throws Exception {
        return new String(git.require(git.command(List.of(words))).output(), ISO_8859_1);
    }

    private static byte[] bytes(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }

    @Test
    void gitReadsContentsOfAnySizeAsTheyWere() throws Exception {
        try (ScratchGit git = ScratchGit.create(runner, temp, "sha1")) {
            List<Integer> sizes = List.of(0, 1, 15, 16, 2047, 2048, 65535, 65536, 65537, 3_000_000);
            List<ObjectId> ids =
                    ObjectPack.write(
                            git,
                            to -> {
                                List<ObjectId> written = new ArrayList<>();
                                for (int size : sizes) {
                                    written.add(to.blob(bytes(size)));
                                    to.blob(bytes(size)); // once only
                                }
                                return written;
                            });
            for (int i = 0; i < sizes.size(); i++) {
                Path file = Files.write(temp.resolve("content"), bytes(sizes.get(i)));
                assertThat(say(git, "hash-object", file.toString()).strip())
                        .isEqualTo(ids.get(i).toString());
                assertThat(
                                git.require(
                                                git.command(
                                                        List.of(
                                                                "cat-file",
                                                                "blob",
                                                                ids.get(i).toString())))
                                        .output())
                        .isEqualTo(bytes(sizes.get(i)));
            }
            assertThat(say(git, "count-objects", "-v"))
                    .contains("in-pack: " + sizes.size(), "packs: 1", "garbage: 0");
        }
    }

    /** The name of a tree tells whether all is in its order. */
    @Test
    void treesAreThoseThatGitMakesOfTheSameFiles() throws Exception {
        Map<TreePath, String> files = new TreeMap<>();
        for (String path :
                new String[] {
                    "a",
                    "a.txt/x",
                    "ab/c/d/e",
                    "foo/x",
                    "foo.txt",
                    "foo-",
                    "foo0",
                    "we\nird\"\\",
                    "sp ace/\u00e9",
                    "z"
                }) {
            files.put(TreePath.of(path), "content of " + path);
        }
        Path tree = Files.createDirectory(temp.resolve("tree"));
        for (var file : files.entrySet()) {
            Path path = tree.resolve(new String(file.getKey().bytes(), UTF_8));
            Files.createDirectories(path.resolveSibling("."));
            Files.writeString(path, file.getValue());
        }
        try (ScratchGit git = ScratchGit.create(runner, temp, "sha1")) {
            ObjectId written =
                    ObjectPack.write(
                            git,
                            to -> {
                                TreeObjects objects = new TreeObjects();
                                for (var file : files.entrySet()) {
                                    ObjectId blob = to.blob(file.getValue().getBytes(UTF_8));
                                    objects.add(file.getKey(), FileMode.PLAIN, blob);
                                }
                                ObjectId root = objects.write(to);
                                to.commit(root, Optional.of(to.commit(root, Optional.empty())));
                                return root;
                            });
            Command add = git.command(List.of("-c", "core.bare=false", "add", "-A", "."));
            git.require(add.in(tree).withVariable("GIT_WORK_TREE", tree.toString()));
            assertThat(say(git, "write-tree").strip()).isEqualTo(written.toString());
            assertThat(say(git, "fsck", "--connectivity-only", "--no-reflogs"))
                    .contains("dangling commit");
        }
    }

    @Test
    void aScratchRepositoryTakesAnIndexOfItsObjectFormat() throws Exception {
        for (String format : List.of("sha1", "sha256")) {
            try (ScratchGit git = ScratchGit.create(runner, temp, format)) {
                assertThat(say(git, "rev-parse", "--show-object-format").strip()).isEqualTo(format);
                assertThat(say(git, "rev-parse", "--is-bare-repository").strip()).isEqualTo("true");
            }
        }
        assertThat(temp.toFile().list()).isEmpty();
    }
}
