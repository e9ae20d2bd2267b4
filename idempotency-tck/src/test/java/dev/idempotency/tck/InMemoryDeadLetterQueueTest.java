// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

class InMemoryDeadLetterQueueTest extends DeadLetterQueueTck {

    private final ManualClock clock = new ManualClock();
    private final Map<String, DeadLetterQueue> queues = new HashMap<>();

    @Override
    protected DeadLetterQueue openQueue(String namespace, DeadLetterLimits limits) {
        return queues.computeIfAbsent(namespace, any -> new InMemoryDeadLetterQueue(limits, clock));
    }

    @Override
    protected void elapse(Duration duration) {
        clock.advance(duration);
    }
}
