package dev.carrel.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;

/**
 * The classes of a class path as Java loads them fastest: from an archive of those that a training
 * run took, loaded and linked. Java archives nothing from directories, so these are packed, and it
 * looks for the rest beside them, so that the folder can be copied to anywhere and used there. Made
 * once for what was compiled, by whichever test JVM is the first.
 */
final class ClassArchive {

    private static final String JAR = "classes.jar";
    private static final String ARCHIVE = "classes.aot";

    private final Path folder;
    private final List<Path> directories;
    private final List<Path> jars;

    /**
     * Of a class path.
     *
     * @param folder where archives are kept
     */
    ClassArchive(Path folder, List<String> classPath) {
        this.folder = folder;
        this.directories = classPath.stream().map(Path::of).filter(Files::isDirectory).toList();
        this.jars = classPath.stream().map(Path::of).filter(Files::isRegularFile).toList();
    }

    /**
     * The folder with all of it.
     *
     * @param java the program and its options
     * @param training the class to run for the archive
     */
    Path made(List<String> java, String training) {
        try {
            Path made = folder.resolve(key(java));
            try (FileChannel lock = lock();
                    FileLock _ = lock.lock()) {
                if (!Files.exists(made.resolve(ARCHIVE))) {
                    make(made, java, training);
                }
            }
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FileChannel lock() throws IOException {
        Files.createDirectories(folder);
        return FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** What Java is to be started with beside the options that the archive was made for. */
    List<String> options(Path made) {
        return options(made, "-XX:AOTCache=");
    }

    private List<String> options(Path made, String archive) {
        Stream<Path> all = Stream.concat(Stream.of(Path.of(JAR)), jars.stream());
        return List.of(
                // Where it does not fit, it is not used.
                "-Xlog:cds*=off,aot*=off",
                archive + made.resolve(ARCHIVE),
                "-cp",
                all.map(jar -> made.resolve(jar.getFileName()).toString())
                        .collect(Collectors.joining(":")));
    }

    private void make(Path made, List<String> java, String training) throws IOException {
        clear();
        Files.createDirectory(made);
        Path jar = made.resolve("new.jar");
        pack(jar);
        Files.move(jar, made.resolve(JAR), StandardCopyOption.ATOMIC_MOVE);
        for (Path other : jars) {
            Files.copy(other, made.resolve(other.getFileName()));
        }
        List<String> command = new ArrayList<>(java);
        command.addAll(options(made, "-XX:AOTCacheOutput="));
        command.add(training);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.onExit().join();
        if (!Files.exists(made.resolve(ARCHIVE))) {
            throw new IOException("no archive of classes was made: " + said);
        }
    }

    /** What was compiled before. */
    private void clear() throws IOException {
        for (Path old : sorted(folder).reversed()) {
            if (!old.equals(folder) && !old.equals(folder.resolve("lock"))) {
                Files.delete(old);
            }
        }
    }

    private void pack(Path jar) throws IOException {
        Set<String> packed = new HashSet<>();
        try (JarOutputStream output = new JarOutputStream(Files.newOutputStream(jar))) {
            output.setLevel(Deflater.NO_COMPRESSION);
            for (Path directory : directories) {
                for (Path file : files(directory)) {
                    String name = directory.relativize(file).toString();
                    if (packed.add(name)) {
                        output.putNextEntry(new ZipEntry(name));
                        Files.copy(file, output);
                    }
                }
            }
        }
    }

    /** Changes with everything that an archive depends on; where it all lies is nothing of it. */
    private String key(List<String> java) throws IOException {
        List<String> facts = new ArrayList<>(java);
        for (Path directory : directories) {
            for (Path file : files(directory)) {
                facts.add(fact(directory.relativize(file), file));
            }
        }
        for (Path jar : jars) {
            facts.add(fact(jar.getFileName(), jar));
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(String.join("\n", facts).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String fact(Path name, Path file) throws IOException {
        return name + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
    }

    private static List<Path> files(Path directory) throws IOException {
        return sorted(directory).stream().filter(Files::isRegularFile).toList();
    }

    private static List<Path> sorted(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.sorted().collect(Collectors.toList());
        }
    }
}
