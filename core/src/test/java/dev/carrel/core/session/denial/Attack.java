package dev.carrel.core.session.denial;

import java.util.List;

/**
 * One attempt to leave the sandbox. It ends by printing its own verdict, so that an attempt that
 * breaks down half-way is neither a success nor a denial.
 *
 * @param argv what runs inside
 * @param judge looks at what the attempt did
 * @param needsTheHost whether it is judged by the host, which has to be looked at right afterwards
 * @param possible where it can succeed at all when nothing confines it
 */
record Attack(
        String name, List<String> argv, Judge judge, boolean needsTheHost, Possible possible) {

    static final String SUCCEEDED = "succeeded";
    static final String DENIED = "denied";

    /** What an attempt comes to. */
    interface Judge {
        /** {@link #SUCCEEDED}, {@link #DENIED}, or anything else for an attempt that broke down. */
        String verdict(String lastLine, Victims victims) throws Exception;
    }

    /** Where an attempt can succeed when nothing confines it. */
    enum Possible {
        /** Everywhere. */
        ALWAYS,
        /** With the powers of the host's root. */
        AS_ROOT,
        /** On machines that have the feature or the file it is about. */
        ON_SOME_MACHINES
    }

    /** An attempt that succeeds if the shell condition holds. */
    static Attack shell(String name, String condition) {
        String script =
                "if { " + condition + "; } 2>/dev/null; then echo succeeded; else echo denied; fi";
        return new Attack(
                name, List.of("/bin/sh", "-c", script), (line, _) -> line, false, Possible.ALWAYS);
    }

    /** An attempt that succeeds if the Perl code makes {@code $ok} true. */
    static Attack perl(String name, String code) {
        String script =
                "no warnings; my $ok = 0; "
                        + code
                        + "\nprint $ok ? \"succeeded\\n\" : \"denied\\n\";";
        return new Attack(
                name, List.of("perl", "-e", script), (line, _) -> line, false, Possible.ALWAYS);
    }

    /** The same attempt, judged by what it did to the host. */
    Attack judgedBy(HostJudge judge) {
        return new Attack(
                name,
                argv,
                (_, victims) -> judge.harmed(victims) ? SUCCEEDED : DENIED,
                true,
                possible);
    }

    Attack possible(Possible where) {
        return new Attack(name, argv, judge, needsTheHost, where);
    }

    /** Looks at the host after an attempt. */
    interface HostJudge {
        boolean harmed(Victims victims) throws Exception;
    }

    @Override
    public String toString() {
        return name;
    }
}
