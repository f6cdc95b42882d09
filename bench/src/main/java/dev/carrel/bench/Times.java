package dev.carrel.bench;

import java.util.List;

/**
 * What the rounds of one contender took, in milliseconds: the median, and what most lie between.
 */
record Times(int rounds, double tenth, double median, double ninetieth) {

    static Times of(List<Double> millis) {
        List<Double> sorted = millis.stream().sorted().toList();
        return new Times(sorted.size(), at(sorted, 0.1), at(sorted, 0.5), at(sorted, 0.9));
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.round(share * (sorted.size() - 1)));
    }
}
