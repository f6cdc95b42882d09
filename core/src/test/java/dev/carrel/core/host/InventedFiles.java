package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A tree that exists in memory only. Folders above an entry are root's, mode 0755. */
final class InventedFiles implements HostFiles {

    private final Map<Path, Entry> entries = new HashMap<>();
    private final Map<Path, List<String>> texts = new HashMap<>();

    InventedFiles() {
        entries.put(Path.of("/"), new Entry(Kind.DIRECTORY, 0, 0, 0755, ""));
    }

    /** A merged-/usr system with the programs that matter. */
    static InventedFiles system() {
        return new InventedFiles()
                .folder("/usr/bin")
                .folder("/usr/sbin")
                .folder("/usr/lib")
                .folder("/usr/local/bin")
                .link("/bin", "usr/bin")
                .link("/sbin", "usr/sbin")
                .link("/lib", "usr/lib")
                .folder("/opt")
                .program("/usr/bin/setpriv")
                .text("/proc/self/uid_map", "         0          0 4294967295")
                .text("/proc/self/gid_map", "         0          0 4294967295")
                .text(
                        "/etc/passwd",
                        "root:x:0:0:root:/root:/bin/bash",
                        "alice:x:1000:1000::/home/alice:/bin/bash",
                        "bob:x:1001:100::/home/bob:/bin/bash")
                .text("/etc/group", "root:x:0:", "users:x:100:", "alice:x:1000:", "ops:x:50:bob");
    }

    InventedFiles folder(String path) {
        return folder(path, 0, 0755);
    }

    InventedFiles folder(String path, int owner, int mode) {
        return put(path, new Entry(Kind.DIRECTORY, owner, owner, mode, ""));
    }

    InventedFiles program(String path) {
        return file(path, 0, 0755);
    }

    InventedFiles file(String path, int owner, int mode) {
        return put(path, new Entry(Kind.FILE, owner, owner, mode, ""));
    }

    InventedFiles link(String path, String text) {
        return put(path, new Entry(Kind.LINK, 0, 0, 0777, text));
    }

    InventedFiles special(String path) {
        return put(path, new Entry(Kind.SPECIAL, 0, 0, 0666, ""));
    }

    InventedFiles text(String path, String... lines) {
        texts.put(Path.of(path), List.of(lines));
        return file(path, 0, 0644);
    }

    InventedFiles put(String path, Entry entry) {
        Path place = Path.of(path);
        for (Path above = place.getParent(); above != null; above = above.getParent()) {
            entries.putIfAbsent(above, new Entry(Kind.DIRECTORY, 0, 0, 0755, ""));
        }
        entries.put(place, entry);
        return this;
    }

    @Override
    public Optional<Entry> look(Path path) {
        return Optional.ofNullable(entries.get(path));
    }

    @Override
    public List<String> names(Path directory) {
        return entries.keySet().stream()
                .filter(path -> directory.equals(path.getParent()))
                .map(path -> String.valueOf(path.getFileName()))
                .sorted()
                .toList();
    }

    @Override
    public List<String> lines(Path file) {
        return texts.getOrDefault(file, List.of());
    }
}
