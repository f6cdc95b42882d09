package dev.carrel.core.seccomp;

import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A plain bwrap sandbox around a filter. Commands see the host read-only, an empty /tmp, and the
 * given directory, writable, at /tmp/work.
 */
final class FilteredSandbox {

    private final Path directory;
    private final Optional<Path> filter;
    private final List<String> more;

    private FilteredSandbox(Path directory, Optional<Path> filter, List<String> more) {
        this.directory = directory;
        this.filter = filter;
        this.more = more;
    }

    /** A sandbox of that mode; OFF has no filter. */
    static FilteredSandbox of(SeccompMode mode, Path directory) throws IOException {
        Optional<SeccompFilter> filter = SeccompFilter.forMode(mode, Architecture.current());
        if (filter.isEmpty()) {
            return new FilteredSandbox(directory, Optional.empty(), List.of());
        }
        return with(filter.get().program(), directory);
    }

    /** A sandbox that is given these bytes as its filter. */
    static FilteredSandbox with(byte[] program, Path directory) throws IOException {
        Path file = Files.createTempFile(directory, "filter", ".bpf");
        Files.write(file, program);
        return with(file, directory);
    }

    /** A sandbox that is given this file as its filter. */
    static FilteredSandbox with(Path filter, Path directory) {
        return new FilteredSandbox(directory, Optional.of(filter), List.of());
    }

    /**
     * With all capabilities over its own namespaces, so that a lack of them does not look like the
     * filter. Uid 0 inside, since any other loses them when the command is executed.
     */
    FilteredSandbox withCapabilities() {
        return new FilteredSandbox(
                directory, filter, List.of("--uid", "0", "--gid", "0", "--cap-add", "ALL"));
    }

    ProcessResult run(byte[] input, List<String> command) throws InterruptedException {
        var argv = new ArrayList<>(List.of(Requirements.bwrap().toString(), "--die-with-parent"));
        argv.addAll(List.of("--unshare-all", "--unshare-user", "--ro-bind", "/", "/"));
        argv.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
        argv.addAll(List.of("--bind", directory.toString(), "/tmp/work", "--chdir", "/tmp/work"));
        argv.addAll(List.of("--setenv", "HOME", "/tmp"));
        argv.addAll(more);
        var files = new ArrayList<HandedOver>();
        filter.ifPresent(path -> {
            argv.addAll(List.of("--seccomp", "9"));
            files.add(new HandedOver(9, path, HandedOver.Access.READ));
        });
        argv.add("--");
        argv.addAll(command);
        return new HostProcessRunner().run(Command.of(argv).withInput(input).handingOver(files));
    }

    ProcessResult run(String... command) throws InterruptedException {
        return run(new byte[0], List.of(command));
    }
}
