// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.webhook.RetrySchedule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares how long events take with how long their senders wait before they try again, and says when that becomes close. */
public final class DeliveryCoverage implements IdempotencyListener {

    private static final Logger log = LoggerFactory.getLogger(DeliveryCoverage.class);

    /** From here on an ordinary bad day is enough for the sender to be quicker. */
    private static final double CLOSE = 0.8;

    private final WebhookListener listener;
    private final Map<String, List<Watched>> watched = new ConcurrentHashMap<>();
    private final LogLimit logLimit = new LogLimit();

    private record Watched(String sender, RetrySchedule schedule, IdempotencyPolicy policy) {}

    public DeliveryCoverage(WebhookListener listener) {
        this.listener = listener;
    }

    /** From now on compares the events of a sender that the policy's bizType takes. */
    public void watch(WebhookSender sender, RetrySchedule schedule, IdempotencyPolicy policy) {
        watched.computeIfAbsent(policy.bizType(), bizType -> new CopyOnWriteArrayList<>())
                .add(new Watched(sender.name(), schedule, policy));
    }

    @Override
    public void ended(Operation operation, AttemptEnd end, Duration duration) {
        for (Watched one : watched.getOrDefault(operation.bizType(), List.of())) {
            compare(one, operation.bizType(), duration);
        }
    }

    private void compare(Watched one, String bizType, Duration duration) {
        IdempotencyPolicy policy = one.policy();
        listener.covered(one.sender(), bizType, "lease", share(duration, policy.lease()));
        listener.covered(
                one.sender(),
                bizType,
                "window",
                share(policy.ttl(), one.schedule().window()));
        one.schedule().firstRetry().ifPresent(first -> {
            double share = share(duration, first);
            listener.covered(one.sender(), bizType, "next-retry", share);
            if (share >= CLOSE && logLimit.permits(one.sender() + " " + bizType)) {
                log.warn(
                        "An event of {} took {}, and its sender tries again after {}: answer sooner, or let repeats of"
                                + " {} wait (on-duplicate: wait).",
                        one.sender(),
                        duration,
                        first,
                        bizType);
            }
        });
    }

    private static double share(Duration part, Duration whole) {
        return (double) part.toMillis() / Math.max(1, whole.toMillis());
    }
}
