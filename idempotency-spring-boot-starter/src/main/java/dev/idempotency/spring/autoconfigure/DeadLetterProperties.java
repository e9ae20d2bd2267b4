// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.deadletter.DeadLetterLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the dead letters.
 *
 * @param maxCount Most letters that are kept. When there are more, those that are done with make room first, then the oldest
 *     open one, whose id is logged.
 * @param maxSize Most bytes of all letters together.
 * @param retention How long a letter stays after it was parked first.
 */
public record DeadLetterProperties(
        @DefaultValue("1000") int maxCount,
        @DefaultValue("64MB") DataSize maxSize,
        @DefaultValue("14d") Duration retention) {

    public DeadLetterProperties {
        Rule.property("dead-letters.max-count").holds(maxCount >= 1, "must be at least 1", maxCount);
        Rule.property("dead-letters.max-size").holds(maxSize.toBytes() >= 1, "must be at least 1B", maxSize);
        Rule.property("dead-letters.retention")
                .holds(!retention.isZero() && !retention.isNegative(), "must be positive", retention);
    }

    DeadLetterLimits limits() {
        return new DeadLetterLimits(maxCount, maxSize.toBytes(), retention);
    }
}
