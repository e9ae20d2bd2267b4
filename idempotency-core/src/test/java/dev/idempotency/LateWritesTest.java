// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.key.RecordKey;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LateWritesTest {

    private final LateWrites lateWrites = new LateWrites();
    private final AtomicInteger tries = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger givenUp = new AtomicInteger();
    private volatile boolean silent;
    private volatile long leaseLeftNanos = Long.MAX_VALUE;

    @AfterEach
    void close() {
        lateWrites.close();
    }

    private final class Write implements LateWrites.LateWrite {

        private final boolean dispensable;

        Write(boolean dispensable) {
            this.dispensable = dispensable;
        }

        @Override
        public RecordKey key() {
            return Calls.key("K1");
        }

        @Override
        public long leaseLeftNanos() {
            return leaseLeftNanos;
        }

        @Override
        public boolean isDispensable() {
            return dispensable;
        }

        @Override
        public void write() {
            tries.incrementAndGet();
            if (silent) {
                throw new IllegalStateException("silent");
            }
            written.incrementAndGet();
        }

        @Override
        public void giveUp() {
            givenUp.incrementAndGet();
        }
    }

    @Test
    void eachIsWrittenOnceTheStoreAnswers() {
        silent = true;
        for (int i = 0; i < 300; i++) {
            lateWrites.add(new Write(false));
        }
        await().until(() -> tries.get() >= 3);
        assertThat(written).hasValue(0);
        silent = false;
        await().until(() -> written.get() == 300);
        assertThat(givenUp).hasValue(0);
    }

    @Test
    void theThreadIsThereOnlyWhileThereAreWrites() {
        for (int i = 0; i < 3; i++) {
            int before = written.get();
            lateWrites.add(new Write(false));
            await().until(() -> written.get() > before);
            await().until(() -> threads() == 0);
        }
    }

    @Test
    void whatIsOfNoUseAnyMoreIsGivenUp() {
        silent = true;
        lateWrites.add(new Write(false));
        await().until(() -> tries.get() > 0);
        leaseLeftNanos = -1;
        await().until(() -> givenUp.get() == 1);
        assertThat(written).hasValue(0);
    }

    @Test
    void thereIsRoomForTenThousandAndHalfOfItForTheDispensable() {
        silent = true;
        for (int i = 0; i < 5_001; i++) {
            lateWrites.add(new Write(true));
        }
        assertThat(givenUp).hasValue(1);
        for (int i = 0; i < 5_001; i++) {
            lateWrites.add(new Write(false));
        }
        assertThat(givenUp).hasValue(2);
        silent = false;
        await().until(() -> written.get() == 10_000);
        lateWrites.add(new Write(true));
        await().until(() -> written.get() == 10_001);
    }

    @Test
    void closingTriesEachOnceMore() {
        for (int i = 0; i < 10; i++) {
            lateWrites.add(new Write(false));
        }
        lateWrites.close();
        assertThat(written).hasValue(10);
        lateWrites.add(new Write(false));
        assertThat(givenUp).hasValue(1);
    }

    @Test
    void closingGivesUpWhatASilentStoreDoesNotTake() throws Exception {
        silent = true;
        for (int i = 0; i < 10; i++) {
            lateWrites.add(new Write(false));
        }
        CountDownLatch closed = new CountDownLatch(1);
        new Thread(() -> {
                    lateWrites.close();
                    closed.countDown();
                })
                .start();
        closed.await();
        await().until(() -> givenUp.get() == 10);
        assertThat(written).hasValue(0);
        assertThat(threads()).isZero();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("idempotency-late-writes"))
                .count();
    }
}
