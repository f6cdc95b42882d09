package dev.carrel.core.runtime;

import dev.carrel.core.process.ProcessResult;
import java.nio.file.Path;

/** A second process that uses a session: a JVM of its own, which a test may kill. */
final class RuntimeUser {

    private RuntimeUser() {}

    /** Arguments: the directory of the fixture, then {@code run SCRIPT} or {@code loop NAME}. */
    public static void main(String[] arguments) throws Exception {
        RuntimeFixture session = RuntimeFixture.open(Path.of(arguments[0]));
        switch (arguments[1]) {
            case "run" -> {
                ProcessResult result = session.run(arguments[2]);
                System.out.write(result.output());
                System.out.flush();
                System.exit(result.exit());
            }
            case "loop" -> {
                TokenWriter writer = new TokenWriter(session, arguments[2]);
                while (System.in.available() == 0) {
                    writer.step()
                            .ifPresent(token -> {
                                // What was said here has been acknowledged, whatever happens next.
                                System.out.println(token);
                            });
                }
            }
            default -> throw new IllegalArgumentException(arguments[1]);
        }
    }
}
