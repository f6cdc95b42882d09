package dev.carrel.bench;

import dev.carrel.bench.Contender.Missing;
import dev.carrel.bench.Contender.Ready;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several ways to do one thing, measured in turns: each round runs every contender once.
 *
 * @param title what is done
 * @param remark what a reader has to know of it
 * @param reference the contender that the others are compared with
 * @param warmUps rounds that do not count
 * @param rounds rounds that do
 */
record Contest(
        String title,
        String remark,
        String reference,
        int warmUps,
        int rounds,
        List<Contender> contenders) {

    /** At most this many rounds of each contest, where time is short. */
    private static final int MOST_ROUNDS = Integer.getInteger("bench.rounds", Integer.MAX_VALUE);

    Contest {
        contenders = List.copyOf(contenders);
        rounds = Math.min(rounds, MOST_ROUNDS);
    }

    /** How one contender did. */
    sealed interface Outcome {
        record Timed(Times times) implements Outcome {}

        record NotRun(String reason) implements Outcome {}
    }

    /** Outcomes by contender, in their order. */
    Map<String, Outcome> run() throws Exception {
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        Map<Ready, List<Double>> samples = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            switch (contender) {
                case Missing(String name, String reason) ->
                        outcomes.put(name, new Outcome.NotRun(reason));
                case Ready ready -> {
                    outcomes.put(ready.name(), new Outcome.NotRun("not run"));
                    samples.put(ready, new ArrayList<>());
                }
            }
        }
        for (int round = -warmUps; round < rounds; round++) {
            for (Ready contender : List.copyOf(samples.keySet())) {
                List<Double> times = samples.getOrDefault(contender, List.of());
                try {
                    double millis = time(contender);
                    if (round >= 0) {
                        times.add(millis);
                    }
                } catch (Workbench.ProgramFailed failure) {
                    if (!contender.foreign()) {
                        throw failure;
                    }
                    samples.remove(contender);
                    outcomes.put(
                            contender.name(),
                            new Outcome.NotRun("does not run here: " + failure.getMessage()));
                }
            }
        }
        samples.forEach((contender, millis) ->
                outcomes.put(contender.name(), new Outcome.Timed(Times.of(millis))));
        return outcomes;
    }

    private static double time(Ready contender) throws Exception {
        contender.before().run();
        try {
            return contender.timed().run();
        } finally {
            contender.after().run();
        }
    }
}
