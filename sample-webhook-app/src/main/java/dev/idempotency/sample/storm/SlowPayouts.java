// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * 17 payouts, made twice: the provider's time-out was over before the slow handler was, and its retries after 1 s, 5 s,
 * 30 s and 5 min arrived just as the first call came to its end. Here 50 times as fast.
 */
final class SlowPayouts implements Incident {

    private static final int FASTER = 50;
    private static final Duration TIMEOUT = Duration.ofSeconds(10).dividedBy(FASTER);
    private static final List<Duration> SCHEDULE = List.of(
            Duration.ofSeconds(1).dividedBy(FASTER),
            Duration.ofSeconds(5).dividedBy(FASTER),
            Duration.ofSeconds(30).dividedBy(FASTER),
            Duration.ofMinutes(5).dividedBy(FASTER));
    private static final int RETRIES_IN_STEP = 3;

    @Override
    public String title() {
        return "17 payouts: retries after 1 s, 5 s, 30 s, 5 min (50 x)";
    }

    @Override
    public String bizType() {
        return "payment";
    }

    @Override
    public int operations() {
        return 17;
    }

    @Override
    public void play(int operation, Sender sender) {
        String body = """
                {"id": "evt_%1$d", "type": "payout.requested",
                 "data": {"object": {"id": "po_%1$d", "amount": 7270, "currency": "eur"}}}""".formatted(operation);
        CompletableFuture<Boolean> first = deliver(operation, body, sender, inStep(operation));
        boolean accepted = acceptedInTime(first);
        for (int retry = 0; retry < SCHEDULE.size() && !accepted; retry++) {
            Pause.of(SCHEDULE.get(retry));
            accepted = acceptedInTime(deliver(operation, body, sender, Duration.ZERO));
        }
        first.join();
    }

    /** A processing time that ends a few milliseconds before or after one of the retries arrives. */
    private static Duration inStep(int operation) {
        Duration arrival = TIMEOUT;
        for (int retry = 0; retry <= operation % RETRIES_IN_STEP; retry++) {
            arrival = arrival.plus(SCHEDULE.get(retry));
        }
        return arrival.plusMillis(operation - 8);
    }

    private static CompletableFuture<Boolean> deliver(int operation, String body, Sender sender, Duration processing) {
        return sender.deliver("/webhooks/payments", "payout-event-" + operation, body, processing);
    }

    /** The provider hears no answer after its time-out; the receiver works on. */
    private static boolean acceptedInTime(CompletableFuture<Boolean> delivery) {
        try {
            return delivery.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an answer", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a delivery never fails", e);
        }
    }
}
