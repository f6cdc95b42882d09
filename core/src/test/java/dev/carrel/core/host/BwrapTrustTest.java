package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BwrapTrustTest {

    private static final String BWRAP = "/home/alice/carrel/bwrap";

    private final InventedFiles files =
            InventedFiles.system()
                    .folder("/home/alice", 1000, 0755)
                    .folder("/home/alice/carrel", 1000, 0755)
                    .file(BWRAP, 1000, 0755);

    @Test
    void trustsTheCallersAndRootsFiles() {
        assertThat(problem(BWRAP)).isEmpty();
        assertThat(problem(files.program("/usr/bin/bwrap"), "/usr/bin/bwrap")).isEmpty();
    }

    @Test
    void trustsThePrivateGroupOfTheCallerButNoOther() {
        files.put(BWRAP, new HostFiles.Entry(HostFiles.Kind.FILE, 1000, 1000, 0775, ""));
        assertThat(problem(BWRAP)).isEmpty();

        files.put(BWRAP, new HostFiles.Entry(HostFiles.Kind.FILE, 1000, 50, 0775, ""));
        assertThat(problem(BWRAP)).contains("is writable by others (mode 0775)");
    }

    @Test
    void refusesSetuidAndSetgid() {
        assertThat(problem(files.file(BWRAP, 0, 04755), BWRAP))
                .contains("is setuid or setgid (mode 4755)");
        assertThat(problem(files.file(BWRAP, 0, 02755), BWRAP)).isPresent();
    }

    @Test
    void refusesWhatOthersOwnOrWrite() {
        assertThat(problem(files.file(BWRAP, 1001, 0755), BWRAP))
                .contains("belongs to uid 1001, neither root nor you");
        assertThat(problem(files.file(BWRAP, 1000, 0757), BWRAP))
                .contains("is writable by others (mode 0757)");
    }

    @Test
    void refusesAFolderAboveThatOthersCanChange() {
        assertThat(problem(files.folder("/home/alice", 1000, 0777), BWRAP))
                .contains("lies below '/home/alice', which is writable by others (mode 0777)");
        assertThat(problem(files.folder("/home/alice", 1001, 0755), BWRAP))
                .contains(
                        "lies below '/home/alice', which belongs to uid 1001, neither root nor you");
    }

    @Test
    void acceptsAStickyFolderAbove() {
        files.folder("/tmp", 0, 01777).folder("/tmp/mine", 1000, 0700);

        assertThat(problem(files.file("/tmp/mine/bwrap", 1000, 0755), "/tmp/mine/bwrap")).isEmpty();
    }

    @Test
    void refusesFoldersSpecialFilesAndDataFiles() {
        assertThat(problem("/home/alice")).contains("is not a regular file");
        assertThat(problem(files.special("/usr/bin/s"), "/usr/bin/s"))
                .contains("is not a regular file");
        assertThat(problem(files.file(BWRAP, 1000, 0644), BWRAP))
                .contains("is not executable (mode 0644)");
    }

    @Test
    void takesTheOverflowUserForRootOnlyWhereItOwnsTheRootDirectory() {
        InventedFiles inner = new InventedFiles();
        HostFiles.Entry folder =
                new HostFiles.Entry(HostFiles.Kind.DIRECTORY, 65534, 65534, 0755, "");
        inner.put("/usr", folder).put("/usr/bin", folder).file("/usr/bin/bwrap", 65534, 0755);

        assertThat(problem(inner, "/usr/bin/bwrap")).isPresent();
        assertThat(problem(inner.put("/", folder), "/usr/bin/bwrap")).isEmpty();
    }

    private Optional<String> problem(String path) {
        return problem(files, path);
    }

    private static Optional<String> problem(HostFiles tree, String path) {
        Caller alice = new Caller(1000, 1000, "alice", Path.of("/home/alice"), Map.of());
        return new BwrapTrust(tree, alice).problem(Path.of(path));
    }
}
