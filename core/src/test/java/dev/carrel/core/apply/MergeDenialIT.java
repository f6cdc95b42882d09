package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.InMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repository that tells git how to merge is obeyed by git, and not by an apply. */
class MergeDenialIT {

    private @TempDir(factory = InMemory.class) Path temp;

    private Bench bench(String name) {
        Bench bench = new Bench(temp.resolve(name));
        Bench.write(bench.host, "f", "1\n");
        Bench.write(bench.host, ".gitattributes", "f merge=union\n");
        bench.start();
        Bench.write(bench.host, "f", "host\n");
        Bench.write(bench.wanted, "f", "session\n");
        return bench.session(1);
    }

    @Test
    void attributesAndDriversAreNotObeyed() throws Exception {
        Bench bench = bench("ours");
        assertThat(bench.conflicts()).containsExactly("repo/f: both sides changed the same lines");
    }

    @Test
    void theSameAttributesAreObeyedByGitItself() throws Exception {
        Bench bench = bench("git");
        Path tree = Files.createDirectory(temp.resolve("tree"));
        assertThat(
                        new GitMerge(tree, temp.resolve("repository"))
                                .run(bench.base, bench.host, bench.wanted))
                .isEmpty();
        assertThat(tree.resolve("f")).content().contains("host").contains("session");
    }

    @Test
    void aNestedRepositoryOfTheHostTakesNoPart() throws Exception {
        Bench bench = bench("nested");
        Bench.write(bench.wanted, "f", "1\n");
        Bench.delete(bench.host, "f");
        Bench.write(bench.wanted, "f", "1\nmore\n");
        bench.session(2);
        Path nested = Files.createDirectory(bench.host.resolve("nested"));
        ProcessResult made =
                new HostProcessRunner().run(Command.of("git", "init", "-q").in(nested));
        assertThat(made.exit()).as(made.errorText()).isZero();
        Bench.write(nested, "f", "1\n");
        assertThat(bench.conflicts())
                .containsExactly("repo/f: the session changed it, the host deleted it");
    }
}
