package dev.carrel.core.seccomp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Numbers of calls as the C library's programs are compiled with. */
final class UnistdHeader {

    private static final Pattern DEFINITION =
            Pattern.compile("#define __NR(?:3264)?_(\\w+) +(\\d+)");
    private static final String FOR_32_BITS =
            "#if defined(__SYSCALL_COMPAT) || __BITS_PER_LONG == 32";

    /** Where the calls of single architectures would start, and how many there are. */
    private static final Set<String> NO_CALLS = Set.of("arch_specific_syscall", "syscalls");

    private UnistdHeader() {}

    /** What a 64-bit program gets; a block for 32-bit programs is passed over. */
    static Map<String, Integer> read(Path header) throws IOException {
        var numbers = new HashMap<String, Integer>();
        boolean skipping = false;
        for (String line : Files.readAllLines(header)) {
            skipping = line.equals(FOR_32_BITS) || (skipping && !line.startsWith("#endif"));
            var definition = DEFINITION.matcher(line);
            if (!skipping && definition.find() && !NO_CALLS.contains(definition.group(1))) {
                numbers.put(definition.group(1), Integer.valueOf(definition.group(2)));
            }
        }
        return numbers;
    }
}
