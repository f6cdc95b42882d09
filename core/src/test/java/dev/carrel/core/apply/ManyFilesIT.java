package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.InMemory;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyFilesIT {

    private static final int DIRECTORIES = 30;
    private static final int FILES = 100;

    private @TempDir(factory = InMemory.class) Path temp;

    private static void fill(Path root) throws Exception {
        try (Dir top = Dir.open(root)) {
            for (int d = 0; d < DIRECTORIES; d++) {
                byte[] name = Names.bytes("d" + d);
                top.makeDir(name, 0755);
                try (Dir dir = top.openDir(name)) {
                    for (int f = 0; f < FILES; f++) {
                        try (OutputStream out = dir.create(Names.bytes("f" + f), 0644)) {
                            out.write(Names.bytes("content " + d + "/" + f));
                        }
                    }
                }
            }
        }
    }

    @Test
    void thousandsOfNewFilesAreAppliedAndTakenBack() throws Exception {
        Bench bench = new Bench(temp);
        bench.start();
        fill(bench.upper);
        ApplyPlan plan = bench.plan();
        assertThat(plan.operations().get("repo")).hasSize(DIRECTORIES * (FILES + 1));
        Applies.run(bench.files(), plan);
        assertThat(bench.host.resolve("d29/f99")).hasContent("content 29/99");
        assertThat(bench.host.toFile().list()).hasSize(DIRECTORIES);
        bench.session(1); // the session has taken all back
        bench.apply();
        assertThat(List.of(bench.host.toFile().list())).isEmpty();
    }
}
