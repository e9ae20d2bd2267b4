// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the store said of late: it is asked at most every {@value #SECONDS} seconds, however often meters are read. */
final class RecentAnswer<T> {

    private static final int SECONDS = 5;
    private static final Logger log = LoggerFactory.getLogger(RecentAnswer.class);

    private final Supplier<T> question;
    private final T none;
    private T answer;
    private long askedNanos = System.nanoTime() - Duration.ofSeconds(SECONDS).toNanos();

    /**
     * An answer that is not asked for yet.
     *
     * @param none stands for one that the store does not give
     */
    RecentAnswer(Supplier<T> question, T none) {
        this.question = question;
        this.none = none;
        this.answer = none;
    }

    synchronized T get() {
        if (System.nanoTime() - askedNanos >= Duration.ofSeconds(SECONDS).toNanos()) {
            try {
                answer = question.get();
            } catch (StoreUnavailableException e) {
                log.debug("A meter has no value, as the store gave no answer.", e);
                answer = none;
            } finally {
                // Only now, or a store that gives no answer for longer than that is waited for once for each meter.
                askedNanos = System.nanoTime();
            }
        }
        return answer;
    }
}
