package dev.carrel.cli;

import dev.carrel.core.policy.Usage;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Ending;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What is said after a command of its limits. */
record LimitReport(CommandResult result) {

    /** Told also where nobody watches: programs that run commands read it. */
    void tell(Context context) {
        line().ifPresent(line -> context.err().println("carrel: " + line));
    }

    /** What happened, and the setting that would raise the limit. */
    Optional<String> line() {
        return switch (result.ending()) {
            case Ending.Exited(int status) when status == 0 && result.usage().outOfMemory() ->
                    Optional.of(
                            "a part of the command was killed for its memory; " + raise("memory"));
            case Ending.Exited _, Ending.Signalled _, Ending.Cancelled _ -> Optional.empty();
            case Ending.TimedOut(Duration limit) ->
                    Optional.of(
                            "the command was ended after "
                                    + Human.duration(limit)
                                    + "; to give it longer: --timeout or limits.wall_clock");
            case Ending.OutOfMemory(long limit) ->
                    Optional.of(
                            "the command was out of memory (limit "
                                    + Human.size(limit)
                                    + peak()
                                    + "); "
                                    + raise("memory"));
            case Ending.TooManyProcesses(int limit) ->
                    Optional.of(
                            "the command was refused more than "
                                    + limit
                                    + " processes and threads; "
                                    + raise("pids"));
            case Ending.TooMuchOutput(long limit) ->
                    Optional.of(
                            "the command was ended after "
                                    + Human.size(limit)
                                    + " of output; to allow more: limits.output");
            case Ending.DiskFull(long limit, long used) ->
                    Optional.of(
                            "the command was ended: its session takes "
                                    + Human.size(used)
                                    + " of disk (limit "
                                    + Human.size(limit)
                                    + "); to allow more: limits.disk");
            case Ending.Unwatched(String why) ->
                    Optional.of(
                            "the command was ended: what it uses is limited, and could not be counted any more: "
                                    + why);
        };
    }

    private static String raise(String name) {
        return "to allow more: --" + name + " or limits." + name;
    }

    private String peak() {
        OptionalLong peak = result.usage().peakMemory();
        return peak.isPresent() ? ", peak " + Human.size(peak.getAsLong()) : "";
    }

    /** How it ended and what it used; fields that nobody counted are left out. */
    void addTo(Json.Fields fields) {
        Usage usage = result.usage();
        Json.Fields used = Json.object();
        usage.cpu().ifPresent(cpu -> used.put("cpuMillis", cpu.toMillis()));
        usage.peakMemory().ifPresent(bytes -> used.put("peakMemoryBytes", bytes));
        if (usage.outOfMemory()) {
            used.put("outOfMemory", true);
        }
        if (usage.tooManyProcesses()) {
            used.put("tooManyProcesses", true);
        }
        fields.put("ending", ending()).put("limitsHeldBy", result.limitedBy()).put("usage", used);
    }

    private Json.Fields ending() {
        Json.Fields ending = Json.object().put("how", result.ending().word());
        switch (result.ending()) {
            case Ending.Exited(int status) -> ending.put("status", status);
            case Ending.Signalled(int signal) -> ending.put("signal", signal);
            case Ending.Cancelled() -> {}
            case Ending.TimedOut(Duration limit) -> ending.put("limitMillis", limit.toMillis());
            case Ending.OutOfMemory(long limit) -> ending.put("limitBytes", limit);
            case Ending.TooManyProcesses(int limit) -> ending.put("limit", limit);
            case Ending.TooMuchOutput(long limit) -> ending.put("limitBytes", limit);
            case Ending.DiskFull(long limit, long used) ->
                    ending.put("limitBytes", limit).put("usedBytes", used);
            case Ending.Unwatched(String why) -> ending.put("reason", why);
        }
        return ending;
    }
}
