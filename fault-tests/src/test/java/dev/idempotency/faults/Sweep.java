// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.History;
import dev.idempotency.faults.history.Promise;
import dev.idempotency.faults.history.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** One fault that hits calls at every point at once: a trial for each point. */
final class Sweep {

    private final Map<Point, Trial> trials = new EnumMap<>(Point.class);
    private final Map<Point, List<Call>> held = new EnumMap<>(Point.class);

    Sweep(Driver driver, String fault, Promise promise, String path, Collection<Point> points) {
        for (Point point : points) {
            String words = point.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            trials.put(point, new Trial(driver, fault + ", " + words, promise, path));
        }
    }

    /** Sends so many calls for each point, and waits until they are held up; returns how many are, all told. */
    int hold(Instance to, int count) {
        trials.forEach((point, trial) -> held.put(point, trial.send(to, count, point)));
        return trials.entrySet().stream()
                .mapToInt(entry -> entry.getValue().awaitHeld(held.get(entry.getKey())))
                .sum();
    }

    void note(FaultKind kind) {
        trials.values().forEach(trial -> trial.note(kind));
    }

    void kill(Instance instance) {
        instance.process().kill();
        trials.values().forEach(trial -> trial.note(FaultKind.KILLED, instance));
    }

    void pause(Instance instance) {
        instance.process().pause();
        trials.values().forEach(trial -> trial.note(FaultKind.PAUSED, instance));
    }

    void resume(Instance instance) {
        trials.values().forEach(trial -> trial.note(FaultKind.RESUMED, instance));
        instance.process().resume();
    }

    /** Lets the first half of what is held up at each point go on, and waits for what becomes of it. */
    void releaseHalf() {
        release(calls -> calls.subList(0, calls.size() / 2));
    }

    /** Lets everything go on that is still held up, and waits for what becomes of it. */
    void releaseAll() {
        release(calls -> calls);
    }

    private void release(UnaryOperator<List<Call>> which) {
        List<Call> released = new ArrayList<>();
        held.values().forEach(calls -> released.addAll(which.apply(calls)));
        trials.values().iterator().next().releaseAndAwait(released);
    }

    /** Calls each operation again and again, until each sender has heard that its operation is done. */
    void finish(Instance... to) {
        Trial.finish(List.copyOf(trials.values()), to);
    }

    /** Calls the operations held up at one point again, until each sender has heard that its operation is done. */
    void awaitTakeOver(Instance by, Point point) {
        trials.get(point).finish(by);
    }

    /** Adds to every history what has the names of its operations' beginning. */
    void count(BiConsumer<String, History> counter) {
        trials.values().forEach(trial -> counter.accept(trial.prefix(), trial.history()));
    }

    /** Adds to every history. */
    void tell(Consumer<History> teller) {
        trials.values().forEach(trial -> teller.accept(trial.history()));
    }

    /** Prints the lines of all points, and fails if a history breaks its promise. */
    Map<Point, Verdict> check() {
        Map<Point, Verdict> verdicts = new EnumMap<>(Point.class);
        trials.forEach((point, trial) -> verdicts.put(point, trial.check()));
        return verdicts;
    }
}
