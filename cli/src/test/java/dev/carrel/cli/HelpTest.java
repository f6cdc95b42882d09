package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine.Model.CommandSpec;

/** What people read who ask for help or mistype. */
class HelpTest {

    private final FakeProgram program = new FakeProgram();

    private int carrel(String... words) {
        return program.carrel(words);
    }

    private String out() {
        return program.out();
    }

    private String err() {
        return program.err();
    }

    @Test
    void namesTheNearestVerb() {
        assertThat(carrel("rnu")).isEqualTo(2);
        assertThat(err().lines())
                .containsExactly(
                        "carrel: there is no verb 'rnu'; did you mean run?",
                        "  usage: carrel VERB …",
                        "  help:  carrel --help");
        assertThat(carrel("session", "lst")).isEqualTo(2);
        assertThat(err()).contains("did you mean session list?");
        assertThat(carrel("session")).isEqualTo(2);
        assertThat(carrel("--foo")).isEqualTo(2);
        assertThat(carrel()).isEqualTo(2);
    }

    @Test
    void namesTheNearestOption() {
        assertThat(carrel("run", "--repoo", "x", "ls")).isEqualTo(125);
        assertThat(err().lines())
                .containsExactly(
                        "carrel: there is no option --repoo; did you mean --repo?",
                        "  usage: carrel run [OPTIONS] [--] CMD [ARG…]",
                        "  help:  carrel help run");
        assertThat(carrel("diff")).isEqualTo(2);
        assertThat(carrel("session", "show", "a", "b")).isEqualTo(2);
    }

    @Test
    void saysWhichVerbNeedsWhat() {
        assertThat(carrel("session", "show")).isEqualTo(2);
        assertThat(err().lines())
                .containsExactly(
                        "carrel: carrel session show needs the ID of a session, see: carrel session list",
                        "  usage: carrel session show ID [--json]",
                        "  help:  carrel help session show");
        assertThat(carrel("run", "--cwd")).isEqualTo(125);
        assertThat(err()).startsWith("carrel: --cwd needs a value: DIR\n");
    }

    @Test
    void namesNothingWhereNothingIsNear() {
        carrel("frobnicate");
        assertThat(err()).startsWith("carrel: there is no verb 'frobnicate'\n");
    }

    @ParameterizedTest
    @EnumSource(Verbs.class)
    void leavesItToTheParserToBreakTheLinesOfAnOption(Verbs verb) {
        CommandSpec spec = VerbHelp.parser(verb.make()).getCommandSpec();
        assertThat(spec.options()).allMatch(option -> option.description().length == 1);
        assertThat(spec.positionalParameters())
                .allMatch(parameter -> parameter.description().length <= 1);
    }

    @ParameterizedTest
    @EnumSource(Verbs.class)
    void helpsWithEveryVerb(Verbs verb) {
        String[] help = (verb.path() + " --help").split(" ");
        assertThat(carrel(help)).isZero();
        assertThat(out()).contains("Usage: carrel " + verb.path()).contains("Examples:");
        assertThat(out().lines()).allMatch(line -> line.length() <= 100);
        String text = out();

        assertThat(carrel(("help " + verb.path()).split(" "))).isZero();
        assertThat(out()).isEqualTo(text);
    }

    @Test
    void helpsInGeneral() {
        assertThat(carrel("--help")).isZero();
        for (Verbs verb : Verbs.values()) {
            assertThat(out()).contains("  " + verb.path() + " ");
        }
        assertThat(carrel("help", "session")).isZero();
        assertThat(out()).contains("session rm").doesNotContain("doctor");
        assertThat(carrel("--version")).isZero();
        assertThat(out()).matches("carrel \\d+\\.\\d+\\.\\d+.*\n");
    }
}
