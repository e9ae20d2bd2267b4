// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** The application's clock, which a test may set. */
@Component
@ConditionalOnProperty("webhooks")
public class SettableClock extends Clock {

    private volatile Instant now = Instant.EPOCH;

    /** From now on it is that time. */
    public void set(Instant time) {
        now = time;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("there is one zone");
    }
}
