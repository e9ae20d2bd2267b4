// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InMemoryDeadLetterQueueTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final InMemoryDeadLetterQueue queue = new InMemoryDeadLetterQueue(3);

    @Test
    void theLatestLetterComesFirst() {
        queue.park(letter(1, NOW));
        queue.park(letter(2, NOW));
        assertThat(queue.letters()).containsExactly(letter(2, NOW), letter(1, NOW));
    }

    @Test
    void anotherOccurrenceIsCountedInTheFirstLetter() {
        queue.park(letter(1, NOW));
        queue.park(letter(1, NOW.plusSeconds(5)));
        queue.park(letter(1, NOW.plusSeconds(9)));
        assertThat(queue.letters()).singleElement().satisfies(letter -> {
            assertThat(letter.occurrences()).isEqualTo(3);
            assertThat(letter.firstSeen()).isEqualTo(NOW);
            assertThat(letter.lastSeen()).isEqualTo(NOW.plusSeconds(9));
        });
    }

    @Test
    void lettersOfOtherVersionsKeysOrReasonsAreTheirOwn() {
        RecordKey other = RecordKey.builder("b").part("key", "other").build();
        queue.park(letter(1, NOW));
        queue.park(letter(2, NOW));
        queue.park(letter(DeadLetterReason.BREAKER_OPENED, other, 1, NOW));
        assertThat(queue.letters()).hasSize(3).allMatch(letter -> letter.occurrences() == 1);
    }

    /** An orphan that is completed after all: the operator must see both. */
    @Test
    void theSameVersionParkedForAnotherReasonIsAnotherLetter() {
        RecordKey key = letter(1, NOW).key();
        queue.park(letter(DeadLetterReason.OUTCOME_UNKNOWN, key, 1, NOW));
        queue.park(letter(DeadLetterReason.STALE_COMPLETION, key, 1, NOW));
        assertThat(queue.letters())
                .extracting(DeadLetter::reason)
                .containsExactly(DeadLetterReason.STALE_COMPLETION, DeadLetterReason.OUTCOME_UNKNOWN);
    }

    @Test
    void theOldestMakesRoom() {
        for (int version = 1; version <= 5; version++) {
            queue.park(letter(version, NOW));
        }
        assertThat(queue.letters()).extracting(DeadLetter::version).containsExactly(5L, 4L, 3L);
        queue.park(letter(3, NOW));
        assertThat(queue.letters()).extracting(DeadLetter::version).containsExactly(5L, 4L, 3L);
    }

    @Test
    void theListHandedOutIsOfThatMoment() {
        queue.park(letter(1, NOW));
        List<DeadLetter> before = queue.letters();
        queue.park(letter(2, NOW));
        assertThat(before).containsExactly(letter(1, NOW));
    }

    @Test
    void noOccurrenceIsLostInARace() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            running.add(threads.submit(() -> {
                for (int n = 0; n < 5_000; n++) {
                    queue.park(letter(n % 3, NOW));
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        threads.shutdownNow();
        assertThat(queue.letters().stream().mapToLong(DeadLetter::occurrences).sum())
                .isEqualTo(20_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void aQueueWithoutRoomIsRefused(int capacity) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InMemoryDeadLetterQueue(capacity))
                .withMessage("capacity must be at least 1, but is " + capacity);
    }

    private static DeadLetter letter(long version, Instant now) {
        return letter(DeadLetterReason.BREAKER_OPENED, RecordKey.builder("b").build(), version, now);
    }

    private static DeadLetter letter(DeadLetterReason reason, RecordKey key, long version, Instant now) {
        RequestSnapshot request = new RequestSnapshot("POST", "/orders", null, List.of(), Payload.EMPTY, true, null);
        return DeadLetter.first(reason, key, version, 1, request, null, null, now);
    }
}
