package dev.carrel.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program. */
@Command(name = "carrel", version = "carrel 0.1.0-SNAPSHOT", mixinStandardHelpOptions = true)
public final class Main implements Runnable {

    private Main() {}

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }

    /** Runs one command line and exits with its code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
