// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue.Parked;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.store.OwnerToken;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

abstract class LimitRules extends LetterRules {

    private static final int MANY_BYTES = 64 << 20;

    LimitRules(DeadLetterQueueTck tck) {
        super(tck);
    }

    private Letters three() {
        return letters(new DeadLetterLimits(3, MANY_BYTES, LONG));
    }

    @Test
    void oldestMakesRoomAndIsNamed() {
        Letters letters = three();
        String first = letters.parked(1);
        String second = letters.parked(2);
        String third = letters.parked(3);

        assertThat(letters.elsewhere().park(request(4))).isEqualTo(new Parked(true, List.of(first)));

        assertThat(letters.ids()).containsExactly(request(4).id(), third, second);
        assertThat(letters.here().find(first)).isNull();
        assertThat(letters.here().counts().get(DeadLetterState.OPEN)).isEqualTo(3);
    }

    @Test
    void lettersThatAreDoneWithMakeRoomFirstAndUnnamed() {
        Letters letters = three();
        String open = letters.parked(1);
        String redriven = letters.redriven(2);
        String discarded = letters.discarded(3);

        assertThat(letters.here().park(request(4))).isEqualTo(new Parked(true, List.of()));
        assertThat(letters.here().find(redriven)).isNull();
        assertThat(letters.here().park(request(5))).isEqualTo(new Parked(true, List.of()));
        assertThat(letters.here().find(discarded)).isNull();
        assertThat(letters.here().park(request(6))).isEqualTo(new Parked(true, List.of(open)));
    }

    @Test
    void letterThatIsBeingRedrivenMakesRoomLast() {
        Letters letters = three();
        String redriving = letters.parked(1);
        letters.here().startRedrive(redriving, OwnerToken.random(), LONG, "ann");
        for (int number = 2; number < 10; number++) {
            letters.parked(number);
        }

        assertThat(letters.found(redriving).state()).isEqualTo(DeadLetterState.REDRIVING);
        assertThat(letters.ids()).hasSize(3);
    }

    @Test
    void anotherOccurrenceNeedsNoRoom() {
        Letters letters = three();
        for (int number = 1; number <= 3; number++) {
            letters.parked(number);
        }

        assertThat(letters.here().park(request(1))).isEqualTo(new Parked(false, List.of()));

        assertThat(letters.ids()).hasSize(3);
    }

    @Test
    void bytesAreBoundedToo() {
        Letters letters = letters(new DeadLetterLimits(100, 1_000, LONG));
        for (int number = 1; number <= 10; number++) {
            letters.here().park(request(DeadLetterReason.BREAKER_OPENED, "b", number, "x".repeat(100)));
        }
        assertThat(letters.ids()).hasSize(10);

        Parked parked = letters.elsewhere().park(request(DeadLetterReason.BREAKER_OPENED, "b", 11, "x".repeat(250)));

        assertThat(parked.dropped()).hasSize(3);
        assertThat(letters.ids()).hasSize(8);
        assertThat(letters.here()
                        .park(request(DeadLetterReason.BREAKER_OPENED, "b", 12, "x".repeat(50)))
                        .dropped())
                .isEmpty();
    }

    @Test
    void letterLargerThanTheQueueIsRefused() {
        Letters letters = letters(new DeadLetterLimits(100, 1_000, LONG));
        String id = letters.parked(1);

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> letters.here().park(request(DeadLetterReason.BREAKER_OPENED, "b", 2, "x".repeat(1_001))));

        assertThat(letters.ids()).containsExactly(id);
    }

    @Test
    void letterIsGoneWhenItsRetentionIsOver() {
        Letters letters = letters(new DeadLetterLimits(3, MANY_BYTES, units(4)));
        String id = letters.parked(1);
        elapse(units(2));
        assertThat(letters.elsewhere().seenAgain(id)).isTrue();
        elapse(units(3));

        assertThat(letters.here().find(id)).isNull();
        assertThat(letters.ids()).isEmpty();
        assertThat(letters.here().counts().get(DeadLetterState.OPEN)).isZero();
        assertThat(letters.here().seenAgain(id)).isFalse();
        assertThat(letters.here().startRedrive(id, OwnerToken.random(), LONG, "ann"))
                .isEqualTo(new LetterChange.Absent());
        assertThat(letters.here().discard(id, "ann", "")).isEqualTo(new LetterChange.Absent());
        assertThat(letters.here().park(request(1))).isEqualTo(new Parked(true, List.of()));
        assertThat(letters.found(id).occurrences()).isEqualTo(1);
    }

    @Test
    void lettersWhoseRetentionIsOverTakeNoRoom() {
        Letters letters = letters(new DeadLetterLimits(2, 200, units(3)));
        letters.here().park(request(DeadLetterReason.BREAKER_OPENED, "b", 1, "x".repeat(100)));
        letters.here().park(request(DeadLetterReason.BREAKER_OPENED, "b", 2, "x".repeat(100)));
        elapse(units(4));

        for (int number = 3; number <= 4; number++) {
            assertThat(letters.here()
                            .park(request(DeadLetterReason.BREAKER_OPENED, "b", number, "x".repeat(100)))
                            .dropped())
                    .isEmpty();
        }
        assertThat(letters.ids()).hasSize(2);
    }

    @Test
    void queueNeverHoldsMoreThanItMay() {
        Letters letters = three();
        AtomicInteger numbers = new AtomicInteger();

        Race.run(
                Math.min(rounds(), 500),
                numbers::incrementAndGet,
                number -> letters.here().park(request(2 * number)),
                number -> letters.elsewhere().park(request(2 * number + 1)));

        assertThat(letters.ids()).hasSize(3);
        Map<DeadLetterState, Long> counts = letters.here().counts();
        assertThat(counts.get(DeadLetterState.OPEN)).isEqualTo(3);
    }
}
