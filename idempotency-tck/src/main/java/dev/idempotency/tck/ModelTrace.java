// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A walk through the states of the formal model ({@code docs/model}). Each step is a line such as
 * {@code claim 1 1 0 0 > CLAIMED NONE | PENDING 1 3 2 1 0}: what is done, what the store answers, what the record then is.
 *
 * @param policy lease, ttl, failures, window and cool-down; all but the failures in ticks
 * @param rounds the steps between one tick and the next; each round but the first begins with the tick
 */
record ModelTrace(List<Integer> policy, List<List<String>> rounds) {

    /** Longest time in a policy, in ticks. */
    static final int LONGEST = 3;

    private static final String RESOURCE = "model-traces.txt";

    static List<ModelTrace> all() {
        List<ModelTrace> all = new ArrayList<>();
        List<String> round = new ArrayList<>();
        for (String line : lines()) {
            if (line.startsWith("trace ")) {
                ModelTrace trace = new ModelTrace(policy(line), new ArrayList<>());
                all.add(trace);
            }
            if (line.startsWith("trace ") || line.startsWith("tick ")) {
                round = new ArrayList<>();
                all.get(all.size() - 1).rounds.add(round);
            }
            if (!line.startsWith("trace ")) {
                round.add(line);
            }
        }
        return all;
    }

    private static List<Integer> policy(String line) {
        return Arrays.stream(line.split(" ")).skip(1).map(Integer::valueOf).toList();
    }

    private static List<String> lines() {
        try (InputStream in = ModelTrace.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the kit's jar has no " + RESOURCE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
