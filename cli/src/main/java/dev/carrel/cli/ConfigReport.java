package dev.carrel.cli;

import dev.carrel.core.config.Configuration;
import dev.carrel.core.config.ForcedOff;
import dev.carrel.core.config.ToCome;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import java.util.ArrayList;
import java.util.List;

/** What is said of the settings when a session is made with them. */
final class ConfigReport {

    private ConfigReport() {}

    /**
     * Tells what was not used, always; what may be of interest, at a terminal; and fails where what
     * was asked for does not exist yet.
     */
    static void tell(Context context, RepoChoice choice, boolean hostReadonly) {
        Configuration configuration = choice.configuration();
        Context.requireEnabled(configuration);
        configuration
                .problems()
                .forEach(problem ->
                        context.err().println("carrel: " + Human.oneLine(problem.toString())));
        List<String> missing =
                hostReadonly ? ToCome.inHostReadonly(configuration) : ToCome.in(configuration);
        List<String> notices = new ArrayList<>(configuration.notices());
        missing.forEach(text -> notices.add(text + " is not supported yet; passed over"));
        if (hostReadonly) {
            ForcedOff.asked(configuration)
                    .forEach(text -> context.err().println("carrel: " + Human.oneLine(text)));
        } else {
            setUps(choice)
                    .forEach(script ->
                            notices.add(script + " is not run: set-up is not supported yet"));
        }
        context.tell(notices.stream().map(text -> "carrel: " + Human.oneLine(text)).toList());
    }

    private static List<String> setUps(RepoChoice choice) {
        return ToCome.setUps(
                choice.configuration(),
                choice.repos().stream().map(RepoRequest::directory).toList());
    }
}
