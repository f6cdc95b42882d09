package dev.carrel.core.overlay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.testing.OverlayWriter;
import dev.carrel.core.testing.RandomTree;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.TreePath;
import java.io.ByteArrayOutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffPrinterIT {

    private final ProcessRunner runner = new HostProcessRunner();
    private @TempDir Path temp;
    private Layers layers;

    @BeforeEach
    void makeLayers() throws Exception {
        Requirements.program("git");
        layers = new Layers(temp);
    }

    private byte[] print(LayerStack stack, DiffFormat format) throws Exception {
        ChangeSet set = ChangeSets.compute(stack, IgnoreFilter.nothing());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DiffPrinter(runner, layers.scratch)
                .print(List.of(new RepoChanges("repo", stack, set)), format, false, out);
        return out.toByteArray();
    }

    private String text(DiffFormat format) throws Exception {
        return new String(print(layers.stack(), format), UTF_8);
    }

    @Test
    void gitAppliesThePatchOfAnyRandomSession() throws Exception {
        for (long seed = 0; seed < 6; seed++) {
            Path base = Files.createDirectories(temp.resolve(seed + "/base"));
            Path wanted = Files.createDirectories(temp.resolve(seed + "/wanted"));
            Path upper = Files.createDirectories(temp.resolve(seed + "/session/upper"));
            new RandomTree(base, seed).change(50);
            new RandomTree(wanted, seed).change(50);
            new RandomTree(wanted, seed + 500).change(30);
            new OverlayWriter(seed).write(base, wanted, upper);
            byte[] patch = print(new LayerStack(upper, List.of(base)), DiffFormat.PATCH);
            removeEmptyDirectories(base); // git knows none, and trips over them
            ProcessResult result =
                    runner.run(
                            Command.of("git", "apply", "--allow-empty", "--whitespace=nowarn", "-")
                                    .in(base)
                                    .withVariable("GIT_CEILING_DIRECTORIES", base.toString())
                                    .withInput(patch));
            assertThat(result.errorText()).as("seed " + seed).doesNotContain("error");
            assertThat(gitView(base)).as("seed " + seed).isEqualTo(gitView(wanted));
        }
        assertThat(layers.scratch.toFile().list()).isEmpty();
    }

    @Test
    void severalRepositoriesShareOneLineOfTotals() throws Exception {
        layers.base("a", "1\n").change("a", "2\n");
        Layers other = new Layers(Files.createDirectory(temp.resolve("other")));
        other.base("b", "1\n").change("b", "1\n2\n3\n");
        List<RepoChanges> repos =
                List.of(
                        new RepoChanges(
                                "one",
                                layers.stack(),
                                ChangeSets.compute(layers.stack(), IgnoreFilter.nothing())),
                        new RepoChanges(
                                "two",
                                other.stack(),
                                ChangeSets.compute(other.stack(), IgnoreFilter.nothing())));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DiffPrinter(runner, layers.scratch).print(repos, DiffFormat.STAT, false, out);
        assertThat(out.toString(UTF_8))
                .isEqualTo(
                        """
                         one/a | 2 +-
                         two/b | 2 ++
                         2 files changed, 3 insertions(+), 1 deletion(-)
                        """);
    }

    @Test
    void aPatchHoldsNothingElseAndWhatItCannotCarryIsSaid() throws Exception {
        Path base = Files.createDirectories(temp.resolve("patch/base"));
        Path upper = Files.createDirectories(temp.resolve("patch/upper"));
        Files.createDirectory(upper.resolve("empty"));
        Files.writeString(upper.resolve("secret"), "x\n");
        Files.setPosixFilePermissions(
                upper.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        Files.createFile(upper.resolve("nothing"));
        LayerStack stack = new LayerStack(upper, List.of(base));
        ChangeSet set = ChangeSets.compute(stack, IgnoreFilter.nothing());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> left =
                new DiffPrinter(runner, layers.scratch)
                        .patch(List.of(new RepoChanges("repo", stack, set)), out);
        assertThat(left)
                .containsExactly("new empty directory: empty/", "not readable for all: secret");
        assertThat(out.toString(UTF_8)).startsWith("diff --git").doesNotContain("#");
        ProcessResult result =
                runner.run(
                        Command.of("git", "apply", "-")
                                .in(base)
                                .withVariable("GIT_CEILING_DIRECTORIES", base.toString())
                                .withInput(out.toByteArray()));
        assertThat(result.errorText()).isEmpty();
        assertThat(base.resolve("nothing")).isEmptyFile();
        assertThat(base.resolve("secret")).hasContent("x\n");
    }

    private static void removeEmptyDirectories(Path root) {
        TreeImage.of(root).entrySet().stream()
                .sorted(Map.Entry.<TreePath, String>comparingByKey().reversed())
                .filter(entry -> entry.getValue().startsWith("directory"))
                .forEach(entry ->
                        Layers.in(
                                root,
                                entry.getKey(),
                                (dir, name) -> {
                                    if (isEmpty(dir, name)) {
                                        dir.removeDir(name);
                                    }
                                }));
    }

    private static boolean isEmpty(Dir dir, byte[] name) {
        try (Dir sub = dir.openDir(name)) {
            return sub.names().isEmpty();
        }
    }

    /** As git sees a tree: no directories, and only whether a file can be executed. */
    private static SortedMap<TreePath, String> gitView(Path root) {
        SortedMap<TreePath, String> image = TreeImage.of(root);
        image.values().removeIf(text -> text.startsWith("directory"));
        image.replaceAll((_, text) -> text.replaceFirst("^file (.)[^ ]*", "file $1"));
        image.replaceAll((_, text) -> text.replaceFirst("^file 6", "file -"));
        return image;
    }

    @Test
    void renamesAreSeen() throws Exception {
        String content = "some lines\n".repeat(20);
        layers.base("old/name", content).whiteout("old").change("new/name", content + "one\n");
        assertThat(text(DiffFormat.NAME_STATUS)).isEqualTo("R\told/name\tnew/name\n");
        assertThat(text(DiffFormat.PATCH)).contains("rename from old/name");
        assertThat(text(DiffFormat.STAT)).contains("1 file changed");
    }

    @Test
    void whatGitCannotSayIsInLinesThatItSkips() throws Exception {
        layers.base("kept", "x").change("kept", "x").base("d/f", "y");
        Layers.mkdirs(layers.upper.resolve("empty"));
        Layers.mkdirs(layers.upper.resolve("d"));
        Layers.mode(layers.upper.resolve("kept"), 0600);
        Layers.mode(layers.upper.resolve("d"), 0700);
        try (RandomAccessFile large =
                new RandomAccessFile(layers.upper.resolve("large").toFile(), "rw")) {
            large.setLength(15L << 40);
        }
        layers.change("small", "s\n");
        assertThat(text(DiffFormat.PATCH))
                .contains("# new empty directory: empty/\n")
                .contains("# mode 0755 to 0700: d/\n")
                .contains("# mode 0644 to 0600: kept\n")
                .contains("# added, too large to show (16492674416640 bytes): large\n")
                .contains("+++ b/small\n");
        assertThat(text(DiffFormat.NAME_STATUS))
                .isEqualTo("M\td/\nA\tempty/\nM\tkept\nA\tlarge\nA\tsmall\n");
    }

    @Test
    void namesThatWouldBreakALineAreQuoted() throws Exception {
        TreePath odd = TreePath.ofBytes(new byte[] {'a', '\n', 'b', (byte) 0xff});
        Layers.in(layers.upper, odd, (dir, name) -> dir.symlink(name, name));
        assertThat(text(DiffFormat.NAME_STATUS)).isEqualTo("A\t\"a\\nb\\377\"\n");
    }

    @Test
    void severalRepositoriesGetTheirNamesInFront() throws Exception {
        layers.change("f", "x\n");
        ChangeSet set = layers.changes();
        RepoChanges one = new RepoChanges("one", layers.stack(), set);
        RepoChanges two = new RepoChanges("two", layers.stack(), set);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DiffPrinter(runner, layers.scratch)
                .print(List.of(one, two), DiffFormat.PATCH, false, out);
        assertThat(out.toString(UTF_8))
                .contains("+++ b/one/f\n")
                .contains("diff --git a/two/f b/two/f\n");
    }

    @Test
    void attributesAndDriversOfTheSandboxRunNothing() throws Exception {
        Path proof = temp.resolve("proof");
        layers.base("f.txt", "a\n").change("f.txt", "b\n");
        layers.change(".gitattributes", "*.txt diff=evil filter=evil\n");
        layers.change(".gitconfig", "[diff \"evil\"]\n\ttextconv = touch " + proof + "\n");
        layers.change(".git/config", "[diff \"evil\"]\n\tcommand = touch " + proof + "\n");
        assertThat(text(DiffFormat.PATCH)).contains("-a\n+b\n").doesNotContain("b/.git/config");
        assertThat(proof).doesNotExist();
    }
}
