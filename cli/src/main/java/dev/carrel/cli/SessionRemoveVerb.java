package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel session rm}. */
@Command(
        name = "carrel session rm",
        header = "Remove sessions and all they hold.",
        customSynopsis = "carrel session rm ID… [--json]",
        description = {"", "Commands that run in them are ended; their changes are gone.", ""},
        footer = {
            "",
            "Examples:",
            "  carrel session rm calm-otter brave-heron",
            "  carrel session list --json | jq -r '.[].id' | xargs carrel session rm"
        })
final class SessionRemoveVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Parameters(paramLabel = "ID", arity = "1..*", description = "The sessions.")
    List<String> references = List.of();

    /** Each is tried, whatever happens to the others. */
    @Override
    public int run(Context context) throws InterruptedException {
        List<String> removed = new ArrayList<>();
        boolean failed = false;
        for (String reference : references) {
            try {
                removed.add(context.sessions().remove(reference));
            } catch (CarrelException e) {
                new Failures(context.surroundings()).tell(e);
                failed = true;
            }
        }
        if (json.asked) {
            context.out().println(Json.object().put("removed", Json.texts(removed)).written());
        } else {
            context.tell(removed.stream().map(id -> "removed " + id).toList());
        }
        return failed ? ExitCode.FAILED : ExitCode.OK;
    }
}
