package dev.carrel.core.session.denial;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Many attacks in one sandbox, each in a process of its own: to start a sandbox for each costs much
 * more than the attacks do. For those that tell by themselves what came of them.
 */
final class Volley {

    /** Reads the attacks, so that they stand among nobody's arguments but their own. */
    private static final String DRIVER =
            """
            $| = 1; undef $/;
            my @attacks = split /\\x01/, <STDIN>;
            open(STDIN, '<', '/dev/null');
            for (@attacks) {
                my @words = split /\\x00/;
                pipe(my $out, my $to_out); pipe(my $err, my $to_err);
                defined(my $child = fork) or die "fork: $!";
                unless ($child) {
                    open(STDOUT, '>&', $to_out); open(STDERR, '>&', $to_err);
                    exec @words; exit 127;
                }
                close $to_out; close $to_err;
                print <$out>, "\\x02", <$err>, "\\x01";
                waitpid($child, 0);
            }
            """;

    private final List<Attack> attacks;

    Volley(List<Attack> attacks) {
        this.attacks = attacks.stream().filter(attack -> !attack.needsTheHost()).toList();
    }

    /** What an attack printed. */
    record Shot(String output, String errors) {}

    List<String> argv() {
        return List.of("perl", "-e", DRIVER);
    }

    /** For standard input; less than a pipe holds. */
    byte[] input() {
        return attacks.stream()
                .map(attack -> String.join("\0", attack.argv()) + "\1")
                .collect(Collectors.joining())
                .getBytes(UTF_8);
    }

    /** By the names of the attacks. */
    Map<String, Shot> shots(byte[] output) {
        String[] texts = new String(output, UTF_8).split("\1", -1);
        if (texts.length != attacks.size() + 1) {
            throw new IllegalStateException("broke down: " + new String(output, UTF_8));
        }
        Map<String, Shot> shots = new HashMap<>();
        for (int i = 0; i < attacks.size(); i++) {
            String[] parts = texts[i].split("\2", 2);
            shots.put(attacks.get(i).name(), new Shot(parts[0].strip(), parts[1]));
        }
        return shots;
    }
}
