// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import java.time.Duration;

/** What a sender does between two deliveries. */
final class Pause {

    private Pause() {}

    static void of(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted between two deliveries", e);
        }
    }
}
