// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

abstract class ModelTraceRules extends StoreRules {

    private static final int TRIES = 8;

    private final List<ModelTrace> traces = ModelTrace.all();

    ModelTraceRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    /** All traces in step, so that each tick is waited for once. A tick that was too short for this machine proves nothing. */
    @Test
    void storeAnswersAsTheFormalModelDoes() {
        assertThat(traces).hasSizeGreaterThan(200);
        Duration tick = units(2);
        for (int i = 0; i < TRIES; i++) {
            TimedRounds rounds = new TimedRounds(tick);
            Optional<AssertionError> wrong = replay(tick, rounds);
            if (rounds.wereInTime()) {
                wrong.ifPresent(error -> {
                    throw error;
                });
                return;
            }
            tick = rounds.longerTick();
        }
        throw new AssertionError("this machine is too slow for ticks of " + tick);
    }

    private Optional<AssertionError> replay(Duration tick, TimedRounds rounds) {
        List<TraceReplay> replays = new ArrayList<>();
        for (ModelTrace trace : traces) {
            replays.add(new TraceReplay(trace, operation(), tick));
        }
        int last = replays.stream().mapToInt(TraceReplay::rounds).max().orElseThrow();
        for (int i = 0; i < last; i++) {
            int round = i;
            if (i > 0) {
                elapse(tick);
            }
            try {
                rounds.time(() -> replays.parallelStream()
                        .filter(replay -> round < replay.rounds())
                        .forEach(replay -> replay.replay(round)));
            } catch (AssertionError e) {
                return Optional.of(e);
            }
            if (!rounds.wereInTime()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
