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

    private final String fault;
    private final Map<Point, Trial> trials = new EnumMap<>(Point.class);
    private final Map<Point, List<Call>> held = new EnumMap<>(Point.class);

    Sweep(Driver driver, String fault, Promise promise, String path, Collection<Point> points) {
        this.fault = fault;
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

    /** Breaks something, and notes when that began and when it was done. */
    void strike(Runnable fault) {
        note(FaultKind.BROKEN);
        fault.run();
        note(FaultKind.STRUCK);
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

    /** Lets the first third of what is held up at each point go on, and does not wait for it. */
    void letFirstThirdGo() {
        letThirdGo(0);
    }

    /** Lets the second third go on, and waits until a call of it that was held up at the given point has come to its end. */
    void letSecondThirdGo(Point point) {
        letThirdGo(1);
        Trial.awaitAnyEnd(third(1, held.get(point)));
    }

    private void letThirdGo(int number) {
        trials.forEach((point, trial) -> trial.release(third(number, held.get(point))));
    }

    private static List<Call> third(int number, List<Call> calls) {
        return calls.subList(calls.size() * number / 3, calls.size() * (number + 1) / 3);
    }

    /** Lets all that is held up at a point go on, and does not wait for it; returns how many calls that are. */
    int letGo(Point point) {
        List<Call> calls =
                held.get(point).stream().filter(call -> !call.isOver()).toList();
        trials.get(point).release(calls);
        return calls.size();
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
        Trial.finish(trials.values(), to);
    }

    /** Calls the operations held up at some points again, until each sender has heard that its operation is done. */
    void awaitTakeOver(Instance by, Collection<Point> points) {
        Trial.finish(points.stream().map(trials::get).toList(), by);
    }

    /** What the names of operations begin with whose first calls are held up at a point. */
    String prefix(Point point) {
        return trials.get(point).prefix();
    }

    /** Adds to every history what has the names of its operations' beginning. */
    void count(BiConsumer<String, History> counter) {
        trials.values().forEach(trial -> counter.accept(trial.prefix(), trial.history()));
    }

    /** Adds to every history. */
    void tell(Consumer<History> teller) {
        trials.values().forEach(trial -> teller.accept(trial.history()));
    }

    /** What the checker says for each point; fails if a history breaks its promise. */
    Map<Point, Verdict> verdicts() {
        Map<Point, Verdict> verdicts = new EnumMap<>(Point.class);
        trials.forEach((point, trial) -> verdicts.put(point, trial.check()));
        return verdicts;
    }

    /** The same, and prints the line of this fault. */
    Map<Point, Verdict> check() {
        Map<Point, Verdict> verdicts = verdicts();
        Table.FAULTS.add(fault, verdicts.values().stream().reduce(Verdict.NOTHING, Verdict::plus));
        return verdicts;
    }
}
