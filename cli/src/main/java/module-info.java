import org.jspecify.annotations.NullMarked;

/** The command line: arguments in, core requests out, results rendered. */
@NullMarked
module dev.carrel.cli {
    requires dev.carrel.core;
    requires static org.jspecify;
    requires info.picocli;

    opens dev.carrel.cli to
            info.picocli;
}
