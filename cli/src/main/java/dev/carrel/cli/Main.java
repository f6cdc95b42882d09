package dev.carrel.cli;

import dev.carrel.core.process.StandardStream;
import dev.carrel.core.process.Termination;
import dev.carrel.core.session.Sessions;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The program: connects the verbs with this process and this machine. */
public final class Main {

    /** Set while the start-up cache is made, which the JVM writes when it exits. */
    private static final String TRAINING = "carrel.training";

    private Main() {}

    /** Runs one command line and exits with its code. */
    public static void main(String[] args) {
        int exit = ExitCode.CARREL_FAILED;
        boolean command =
                Verbs.at(LeadingWords.of(List.of(args)).rest())
                        .filter(ExitCode::passesThrough)
                        .isPresent();
        if (command) {
            Sessions.prepare();
        }
        Termination termination = Termination.interruptsThisThread();
        try {
            exit = isTraining() ? train(List.of(args)) : run(List.of(args));
        } finally {
            termination.finished();
        }
        // Only a command leaves a child behind, and the first native call is not for nothing.
        if (command && !isTraining()) {
            termination.exitAtOnce(exit);
        }
        System.exit(exit);
    }

    private static boolean isTraining() {
        return System.getProperty(TRAINING) != null;
    }

    private static int run(List<String> words) {
        // Never closed: whatever comes after still has to be able to complain.
        PrintStream out = stream(FileDescriptor.out, false);
        try {
            Surroundings surroundings =
                    new Surroundings(
                            CallerEnvironment.of(System.getenv()),
                            Path.of("").toAbsolutePath(),
                            Optional.ofNullable(System.getProperty("carrel.home")).map(Path::of),
                            new FileInputStream(FileDescriptor.in),
                            out,
                            stream(FileDescriptor.err, true),
                            StandardStream::isTerminal);
            HostOpening opening = new HostOpening(surroundings);
            int exit = new Program(surroundings, opening).run(words, Path.of("/proc/self/cmdline"));
            out.flush();
            sweep(words, opening);
            return exit;
        } finally {
            out.flush();
        }
    }

    /** Several command lines in one process, as a start-up cache is made by one: ";" ends each. */
    private static int train(List<String> words) {
        int exit = ExitCode.OK;
        for (int start = 0; start < words.size() && exit == ExitCode.OK; ) {
            int end = start;
            while (end < words.size() && !words.get(end).equals(";")) {
                end++;
            }
            exit = run(words.subList(start, end));
            start = end + 1;
        }
        return exit;
    }

    private static void sweep(List<String> words, HostOpening opening) {
        String launcher = BackgroundSweep.launcher();
        if (!launcher.isEmpty() && BackgroundSweep.mayFollow(LeadingWords.of(words).rest())) {
            opening.again()
                    .filter(_ -> !isTraining())
                    .ifPresent(sessions ->
                            BackgroundSweep.startIfOverdue(
                                    sessions, launcher, opening.environment()));
        }
    }

    private static PrintStream stream(FileDescriptor descriptor, boolean flushesLines) {
        OutputStream bytes = new BufferedOutputStream(new FileOutputStream(descriptor));
        return new PrintStream(bytes, flushesLines, StandardCharsets.UTF_8);
    }
}
