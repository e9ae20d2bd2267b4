// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttemptedTest {

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final AtomicInteger opened = new AtomicInteger();
    private final Attempted<Integer> attempted = new Attempted<>(opened::incrementAndGet);

    @Test
    void isOpenedOnceForAllWhoNeedIt() throws Exception {
        assertThat(attempted.get(TIMEOUT_NANOS)).isEqualTo(1);
        assertThat(attempted.get(TIMEOUT_NANOS)).isEqualTo(1);
    }

    /** Or what was opened in between would be lost to those who are to close it. */
    @Test
    void whateverWasOpenedIsTakenByOneAlone() throws Exception {
        List<Integer> taken = new ArrayList<>();
        assertThat(attempted.take()).isNull();
        attempted.get(TIMEOUT_NANOS);
        taken.add(attempted.take());
        assertThat(attempted.take()).isNull();
        attempted.get(TIMEOUT_NANOS);
        taken.add(attempted.take());
        assertThat(taken).containsExactly(1, 2);
        assertThat(opened).hasValue(2);
    }
}
