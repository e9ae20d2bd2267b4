// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.storm.Reply.Answered;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What came of a storm. Each assertion returns this object, or throws an {@link AssertionError} that names the deliveries
 * at fault with every answer they got. Immutable.
 */
public final class StormReport {

    /** Statuses with which a receiver asks for another attempt. */
    private static final Set<Integer> LATER = Set.of(409, 429, 503);

    private final StormPlan plan;
    private final List<DeliveryReport> deliveries;
    private final Duration took;
    private final int unfinished;
    private final EffectCounts before;
    private final EffectCounts after;

    private StormReport(
            StormPlan plan,
            List<DeliveryReport> deliveries,
            Storm.Traffic traffic,
            EffectCounts before,
            EffectCounts after) {
        this.plan = plan;
        this.deliveries = deliveries;
        this.took = traffic.took();
        this.unfinished = traffic.unfinished();
        this.before = before;
        this.after = after;
    }

    static StormReport of(StormPlan plan, Storm.Traffic traffic, EffectCounts before, EffectCounts after) {
        List<DeliveryReport> deliveries = IntStream.range(0, plan.deliveries())
                .mapToObj(number -> {
                    Delivery delivery = plan.delivery(number);
                    String id = plan.effectId().apply(delivery);
                    OptionalLong effects =
                            before instanceof EffectCounts.Each was && after instanceof EffectCounts.Each is
                                    ? OptionalLong.of(is.since(was, id))
                                    : OptionalLong.empty();
                    return new DeliveryReport(
                            delivery, id, effects, traffic.attempts().apply(number));
                })
                .toList();
        long ids = deliveries.stream().map(DeliveryReport::effectId).distinct().count();
        if (ids < deliveries.size()) {
            throw new IllegalArgumentException("effects must be told apart, but " + deliveries.size()
                    + " deliveries have only " + ids + " effect ids, such as "
                    + deliveries.get(0).effectId());
        }
        return new StormReport(plan, deliveries, traffic, before, after);
    }

    /** The storm's name, which its keys begin with. */
    public String name() {
        return plan.name();
    }

    /** What its chance was drawn from. */
    public long seed() {
        return plan.seed();
    }

    /** Every delivery, by its number. */
    public List<DeliveryReport> deliveries() {
        return deliveries;
    }

    /** From the first attempt's begin to the last one's end. */
    public Duration took() {
        return took;
    }

    /** How many attempts were made. */
    public long attempts() {
        return deliveries.stream()
                .mapToLong(delivery -> delivery.attempts().size())
                .sum();
    }

    /**
     * How many effects there are more than before the storm.
     *
     * @return nothing if nobody counts them
     */
    public OptionalLong effects() {
        if (before instanceof EffectCounts.Total was && after instanceof EffectCounts.Total is) {
            return OptionalLong.of(is.count() - was.count());
        }
        return before instanceof EffectCounts.Each
                ? OptionalLong.of(deliveries.stream()
                        .mapToLong(delivery -> delivery.effects().orElse(0))
                        .sum())
                : OptionalLong.empty();
    }

    /**
     * What each delivery stands for has happened once: not twice, and not never.
     *
     * @throws IllegalStateException if the storm was not told how to count effects
     */
    public StormReport eachEffectHappenedOnce() {
        if (before instanceof EffectCounts.Unknown) {
            throw new IllegalStateException("a storm must be told how effects are counted: effects(() -> ...)");
        }
        if (after instanceof EffectCounts.Total) {
            long effects = effects().orElseThrow();
            return check(
                    effects == deliveries.size(),
                    effects + " effects of " + deliveries.size()
                            + " deliveries; suspect are those with several first answers",
                    delivery -> delivery.successes()
                                    .filter(answer -> !answer.replayed())
                                    .count()
                            > 1);
        }
        return none(
                "have not exactly one effect", delivery -> delivery.effects().orElse(0) != 1);
    }

    /** No delivery was given up: the last attempt of at least one of its copies got a 2xx. */
    public StormReport everyDeliveryWasAcknowledged() {
        return none(
                "never got a 2xx", delivery -> delivery.successes().findAny().isEmpty());
    }

    /** All 2xx answers of a delivery have the same status, Content-Type, Location, ETag and body, byte for byte. */
    public StormReport everyRepeatGotTheFirstAnswer() {
        return none(
                "got different answers",
                delivery ->
                        delivery.successes().map(Answered::digest).distinct().count() > 1);
    }

    /** Of all 2xx answers of a delivery, at most one is not marked as an answer that was given before. */
    public StormReport everyRepeatIsMarked() {
        return none(
                "got more than one answer without " + plan.markHeader(),
                delivery -> delivery.successes()
                                .filter(answer -> !answer.replayed())
                                .count()
                        > 1);
    }

    /** Nothing was answered with 5xx. */
    public StormReport noServerError() {
        return none("got a 5xx", delivery -> delivery.answers().anyMatch(answer -> answer.status() >= 500));
    }

    /** Every 409, 429 and 503 says by {@code Retry-After} when to come again, in whole seconds from 1 on. */
    public StormReport everyRefusalSaysWhenToRetry() {
        return none(
                "were sent away without a Retry-After of at least 1",
                delivery -> delivery.answers()
                        .filter(answer -> LATER.contains(answer.status()))
                        .anyMatch(answer -> answer.retryAfter()
                                .filter(value -> value.matches("0*[1-9]\\d*"))
                                .isEmpty()));
    }

    /** No status but these was answered. */
    public StormReport onlyStatuses(Integer... statuses) {
        Set<Integer> allowed = Set.of(statuses);
        return none(
                "got a status other than " + List.of(statuses),
                delivery -> delivery.answers().anyMatch(answer -> !allowed.contains(answer.status())));
    }

    /** No whole answer took longer. Depends on the machine that the test runs on. */
    public StormReport everyAnswerCameWithin(Duration time) {
        return none(
                "waited longer than " + time,
                delivery ->
                        answered(delivery).anyMatch(attempt -> attempt.took().compareTo(time) > 0));
    }

    /** The storm was over by then. Depends on the machine that the test runs on. */
    public StormReport tookAtMost(Duration time) {
        return check(
                took.compareTo(time) <= 0, "the storm took " + took + ", which is longer than " + time, none -> false);
    }

    private static Stream<Attempt> answered(DeliveryReport delivery) {
        return delivery.attempts().stream().filter(attempt -> attempt.reply() instanceof Answered);
    }

    private StormReport none(String fault, Predicate<DeliveryReport> guilty) {
        long count = deliveries.stream().filter(guilty).count();
        return check(count == 0, count + " of " + deliveries.size() + " deliveries " + fault, guilty);
    }

    private StormReport check(boolean holds, String fault, Predicate<DeliveryReport> suspect) {
        if (unfinished > 0) {
            throw StormFailure.of(
                    this, "the limit of " + plan.limit() + " cut off " + unfinished + " sendings", suspect);
        }
        if (!holds) {
            throw StormFailure.of(this, fault, suspect);
        }
        return this;
    }

    /** What happened, as a table for a person. */
    @Override
    public String toString() {
        return StormTable.of(plan.method(), plan.target() + plan.path(), this);
    }
}
