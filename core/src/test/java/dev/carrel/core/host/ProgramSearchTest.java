package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProgramSearchTest {

    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final Path LOADER = Path.of("/lib64/ld.so");

    private final InventedFiles files =
            InventedFiles.system()
                    .program("/usr/bin/make")
                    .program("/usr/lib64/ld.so")
                    .link("/lib64", "usr/lib64");
    private final List<Mount> view =
            new ArrayList<>(
                    List.of(
                            own("/usr"),
                            new Mount.Link("usr/bin", SandboxPath.of("/bin")),
                            new Mount.Link("usr/lib64", SandboxPath.of("/lib64")),
                            new Mount.Writable(Path.of("/state/home"), SandboxPath.HOME)));
    private Optional<ElfProgram> kind = Optional.of(new ElfProgram(Optional.of(LOADER)));

    private static Mount own(String path) {
        return new Mount.ReadOnly(Path.of(path), SandboxPath.of(path));
    }

    private Optional<String> find(String word, String path) {
        return new ProgramSearch(files, _ -> kind, view).find(word, path).map(Path::toString);
    }

    @Test
    void aProgramOfTheMachineIsFoundByNameAndByPath() {
        assertThat(find("make", PATH)).contains("/usr/bin/make");
        assertThat(find("make", "/bin:/usr/bin")).contains("/bin/make");
        assertThat(find("/bin/make", "")).contains("/bin/make");
        assertThat(find("make", "/usr/no/such/folder:/usr/bin")).contains("/usr/bin/make");
    }

    @Test
    void whatIsMissingOrNoFileOrNotForEverybodyIsNotCertain() {
        files.folder("/usr/bin/folder")
                .file("/usr/bin/plain", 0, 0644)
                .file("/usr/bin/mine", 0, 0700);
        for (String word : List.of("none", "folder", "plain", "mine", "", "./make", "a\0b")) {
            assertThat(find(word, PATH)).as(word).isEmpty();
        }
        assertThat(find("make", "")).isEmpty();
        assertThat(find("make", ".:/usr/bin")).isEmpty();
    }

    @Test
    void aScriptAndAProgramWithoutItsLoaderAreNotCertain() {
        kind = Optional.empty();
        assertThat(find("make", PATH)).isEmpty();
        kind = Optional.of(new ElfProgram(Optional.of(Path.of("/lib64/other.so"))));
        assertThat(find("make", PATH)).isEmpty();
        kind = Optional.of(new ElfProgram(Optional.empty()));
        assertThat(find("make", PATH)).contains("/usr/bin/make");
    }

    @Test
    void whatTheSessionCanPutInFrontIsNotCertain() {
        assertThat(find("make", "/home/agent/bin:/usr/bin")).isEmpty();
        assertThat(find("make", "/somewhere/else:/usr/bin")).isEmpty();
        files.file("/usr/local/bin/make", 0, 0644);
        assertThat(find("make", PATH)).isEmpty();
    }

    @Test
    void whatIsCoveredOrShownFromElsewhereIsNotCertain() {
        view.add(new Mount.ReadOnly(Path.of("/dev/null"), SandboxPath.of("/usr/bin/make")));
        assertThat(find("make", PATH)).isEmpty();
        view.removeLast();
        view.add(new Mount.Tmpfs(SandboxPath.of("/usr/bin"), 4096, 0755));
        assertThat(find("make", PATH)).isEmpty();
        view.removeLast();
        assertThat(find("make", PATH)).isPresent();
    }

    @Test
    void linksCountOnlyIfAllOfTheirWayIsShown() {
        files.program("/data/tool")
                .link("/usr/bin/tool", "/data/tool")
                .link("/usr/bin/gmake", "make");
        assertThat(find("gmake", PATH)).contains("/usr/bin/gmake");
        assertThat(find("tool", PATH)).isEmpty();
        view.add(own("/data"));
        assertThat(find("tool", PATH)).contains("/usr/bin/tool");
        view.set(1, new Mount.Link("usr/other", SandboxPath.of("/bin")));
        assertThat(find("/bin/make", "")).isEmpty();
    }

    @Test
    void foldersThatNotEverybodyMayEnterHideTheirPrograms() {
        files.program("/usr/closed/make").folder("/usr/closed", 0, 0750);
        assertThat(find("/usr/closed/make", "")).isEmpty();
        files.folder("/usr/closed", 0, 0755);
        assertThat(find("/usr/closed/make", "")).isPresent();
    }
}
