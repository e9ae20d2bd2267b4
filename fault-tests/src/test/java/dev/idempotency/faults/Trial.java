// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.app.Sabotage;
import dev.idempotency.faults.history.Checker;
import dev.idempotency.faults.history.Event;
import dev.idempotency.faults.history.Event.Answered;
import dev.idempotency.faults.history.Event.Fault;
import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.History;
import dev.idempotency.faults.history.Promise;
import dev.idempotency.faults.history.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** One fault, tried out on a number of operations whose senders go on calling until they are told that all is done. */
final class Trial {

    static final Duration LIMIT = Duration.ofMinutes(2);

    private static final Duration REPORTS = Duration.ofSeconds(20);
    private static final int MIN_PAUSE_MILLIS = 100;
    private static final int MAX_PAUSE_MILLIS = 300;
    private static final Duration POLL = Duration.ofMillis(5);

    private final Driver driver;
    private final String name;
    private final Promise promise;
    private final Random random;
    private final String prefix;
    private final Sender sender;
    private final History history = new History();
    private final List<Call> calls = new CopyOnWriteArrayList<>();

    Trial(Driver driver, String name, Promise promise, String path) {
        this.driver = driver;
        this.name = name;
        this.promise = promise;
        this.random = new Random(Settings.SEED);
        this.prefix = "t" + driver.nextNumber() + "-";
        this.sender = new Sender(driver, history, path);
        driver.listen(prefix, history);
    }

    /** What the names of its operations begin with. */
    String prefix() {
        return prefix;
    }

    History history() {
        return history;
    }

    /** Every call from here on asks for the fault. */
    void sabotage(Sabotage wanted) {
        sender.sabotage(wanted);
    }

    void note(FaultKind kind) {
        history.add(new Fault(kind, ""));
    }

    /** Sends the first call of each of so many operations. */
    List<Call> send(Instance to, int count, Point hold) {
        List<Call> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(sender.send(prefix + driver.nextNumber(), to, hold));
        }
        calls.addAll(sent);
        return sent;
    }

    /** The same, and waits until every call is held up there. */
    List<Call> hold(Instance to, int count, Point hold) {
        List<Call> sent = send(to, count, hold);
        awaitHeld(sent);
        return sent;
    }

    /** Waits until every call is held up, or over before that; returns how many are held up. */
    int awaitHeld(Collection<Call> sent) {
        await().atMost(LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .until(() -> sent.stream().allMatch(call -> call.isOver() || driver.isHeld(call.number())));
        return (int) sent.stream().filter(call -> driver.isHeld(call.number())).count();
    }

    void release(Collection<Call> held) {
        held.forEach(call -> driver.release(call.number()));
    }

    static void awaitEnds(Collection<Call> sent) {
        awaitAll(sent.stream().map(Call::end));
    }

    static void awaitAnyEnd(Collection<Call> sent) {
        await().atMost(LIMIT).until(() -> sent.stream().anyMatch(Call::isOver));
    }

    /** Lets held calls go on, and waits for what becomes of them. */
    void releaseAndAwait(Collection<Call> held) {
        release(held);
        awaitEnds(held);
    }

    void note(FaultKind kind, Instance instance) {
        history.add(new Fault(kind, instance.name()));
    }

    /** Calls each operation again and again, until each sender has heard that its operation is done. */
    void finish(Instance... to) {
        finish(List.of(this), to);
    }

    /** The same for several trials at once. */
    static void finish(Collection<Trial> trials, Instance... to) {
        awaitAll(trials.stream()
                .flatMap(trial -> trial.operations().map(operation -> trial.callUntilDone(operation, to))));
    }

    private Stream<String> operations() {
        return calls.stream().map(Call::operation).distinct();
    }

    /** Each sender at its own pace, so that one that has to wait keeps no other from going on. */
    private CompletableFuture<Answered> callUntilDone(String operation, Instance... to) {
        Call call = sender.send(operation, to[random.nextInt(to.length)], null);
        return call.end().thenCompose(answer -> call.isDone() ? call.end() : later(operation, to));
    }

    private CompletableFuture<Answered> later(String operation, Instance... to) {
        long pause = random.nextInt(MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS);
        Executor then = CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS);
        return CompletableFuture.runAsync(() -> {}, then).thenCompose(nothing -> callUntilDone(operation, to));
    }

    private static void awaitAll(Stream<? extends CompletableFuture<?>> ends) {
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                .orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** What the checker says; fails if the history breaks the promise, and goes on breaking it when all has been told. */
    Verdict check() {
        Verdict verdict = settled();
        if (!verdict.violations().isEmpty()) {
            String operation = verdict.violations().get(0).operation();
            assertThat(verdict.violations())
                    .as("%s, seed %d, all of %s:%n%s", name, Settings.SEED, operation, story(operation))
                    .isEmpty();
        }
        return verdict;
    }

    /** What an owner could not write it may tell after its answer, and after its operation is done. */
    private Verdict settled() {
        try {
            return await().atMost(REPORTS)
                    .pollDelay(Duration.ZERO)
                    .until(this::verdict, verdict -> verdict.violations().isEmpty());
        } catch (ConditionTimeoutException e) {
            return verdict();
        }
    }

    /** What the checker says, where a violation is expected. */
    Verdict verdict() {
        awaitEnds(calls);
        return Checker.check(history.entries(), promise);
    }

    private String story(String operation) {
        StringBuilder story = new StringBuilder();
        history.entries().stream()
                .filter(entry -> entry.event() instanceof Fault
                        || (entry.event() instanceof Event.OfOperation known
                                && known.operation().equals(operation)))
                .forEach(entry -> story.append(entry).append('\n'));
        return story.toString();
    }
}
