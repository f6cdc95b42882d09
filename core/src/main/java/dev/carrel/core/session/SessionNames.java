package dev.carrel.core.session;

import java.util.List;
import java.util.random.RandomGenerator;

/** Short readable words for session ids. */
final class SessionNames {

    private static final List<String> FIRST =
            List.of(
                    "able", "amber", "apt", "blue", "bold", "brave", "brief", "bright", "brisk",
                    "calm", "clean", "clear", "clever", "cool", "coral", "crisp", "daring", "deft",
                    "eager", "early", "easy", "even", "fair", "fine", "firm", "fleet", "fond",
                    "free", "fresh", "gentle", "glad", "gold", "good", "grand", "green", "happy",
                    "hardy", "honest", "humble", "jolly", "keen", "kind", "light", "lively",
                    "loyal", "lucid", "lucky", "mellow", "mild", "misty", "modest", "neat",
                    "nimble", "noble", "olive", "open", "patient", "plain", "polite", "prime",
                    "proud", "quick", "quiet", "rapid", "ready", "robust", "rosy", "sharp",
                    "silent", "silver", "simple", "sleek", "smart", "smooth", "snug", "solid",
                    "spry", "steady", "still", "stout", "sunny", "swift", "tidy", "true", "upbeat",
                    "vivid", "warm", "wise", "witty", "young");

    private static final List<String> SECOND =
            List.of(
                    "acorn", "alder", "aspen", "badger", "bay", "beaver", "birch", "bison", "brook",
                    "canyon", "cedar", "cliff", "cloud", "condor", "coral", "cove", "crane",
                    "creek", "curlew", "dale", "deer", "delta", "dove", "dune", "eagle", "elk",
                    "elm", "falcon", "fern", "field", "finch", "fjord", "forest", "fox", "glade",
                    "grove", "gull", "harbor", "hare", "hawk", "hazel", "heron", "hill", "holly",
                    "ibis", "iris", "island", "ivy", "jay", "juniper", "kestrel", "lake", "lark",
                    "larch", "laurel", "lily", "linden", "lynx", "maple", "marmot", "marsh",
                    "marten", "meadow", "mesa", "moss", "oak", "orchid", "osprey", "otter", "owl",
                    "panda", "pebble", "pine", "plover", "pond", "poplar", "puffin", "quail",
                    "raven", "reed", "ridge", "river", "robin", "rowan", "sage", "seal", "shore",
                    "sparrow", "spruce", "stork", "swan", "thrush", "tide", "trout", "tulip",
                    "valley", "walrus", "willow", "wren", "yew");

    private SessionNames() {}

    /** Two words, and a number once the pair was taken several times. */
    static SessionId propose(RandomGenerator random, int attempt) {
        String words =
                FIRST.get(random.nextInt(FIRST.size()))
                        + "-"
                        + SECOND.get(random.nextInt(SECOND.size()));
        return new SessionId(attempt < 20 ? words : words + "-" + random.nextInt(10_000));
    }
}
