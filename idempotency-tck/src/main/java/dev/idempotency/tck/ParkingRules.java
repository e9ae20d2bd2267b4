// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterQueue.Parked;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.Handling;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.store.Payload;
import dev.idempotency.tck.Race.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

abstract class ParkingRules extends LetterRules {

    private static final int THREADS = 8;
    private static final int PARKS = 1_000;

    ParkingRules(DeadLetterQueueTck tck) {
        super(tck);
    }

    @Test
    void parkedRequestIsFoundFromAnywhereAsItWasParked() {
        Letters letters = letters();
        ParkedRequest request = request(1);

        assertThat(letters.here().park(request)).isEqualTo(new Parked(true, List.of()));

        assertThat(letters.content(request.id())).isEqualTo(request.content());
        DeadLetterSummary summary = letters.found(request.id());
        assertThat(summary)
                .isEqualTo(new DeadLetterSummary(
                        request.id(),
                        request.reason(),
                        request.key(),
                        request.version(),
                        request.content().size(),
                        1,
                        summary.firstSeen(),
                        summary.firstSeen(),
                        new Handling(DeadLetterState.OPEN, summary.firstSeen(), 0, null, null, "", "", null)));
        assertThat(letters.here().find(request.id())).isEqualTo(new DeadLetter(summary, request.content()));
    }

    @Test
    void anotherOccurrenceIsCountedInTheFirstLetter() {
        Letters letters = letters();
        ParkedRequest request = request(1);
        letters.here().park(request);
        DeadLetterSummary first = letters.found(request.id());
        elapse(units(1));

        ParkedRequest again =
                new ParkedRequest(request.reason(), request.key(), request.version(), Payload.of(new byte[] {1}));
        assertThat(letters.elsewhere().park(again)).isEqualTo(new Parked(false, List.of()));
        assertThat(letters.here().seenAgain(request.id())).isTrue();

        DeadLetterSummary found = letters.found(request.id());
        assertThat(found.occurrences()).isEqualTo(3);
        assertThat(found.firstSeen()).isEqualTo(first.firstSeen());
        assertThat(found.lastSeen()).isAfter(first.lastSeen());
        assertThat(found.handling()).isEqualTo(first.handling());
        assertThat(letters.content(request.id())).isEqualTo(request.content());
        assertThat(letters.ids()).containsExactly(request.id());
    }

    @Test
    void whatIsNotThereIsNotSeenAgain() {
        Letters letters = letters();

        assertThat(letters.here().seenAgain("no-such-letter")).isFalse();

        assertThat(letters.here().find("no-such-letter")).isNull();
        assertThat(letters.ids()).isEmpty();
    }

    @Test
    void lettersOfOtherVersionsKeysOrReasonsAreTheirOwn() {
        Letters letters = letters();
        ParkedRequest one = request(1);
        List<ParkedRequest> requests = List.of(
                one,
                new ParkedRequest(one.reason(), one.key(), one.version() + 1, one.content()),
                new ParkedRequest(one.reason(), request(2).key(), one.version(), one.content()),
                new ParkedRequest(DeadLetterReason.STALE_COMPLETION, one.key(), one.version(), one.content()));

        requests.forEach(letters.here()::park);

        assertThat(letters.ids()).hasSize(4);
        requests.forEach(
                request -> assertThat(letters.found(request.id()).occurrences()).isEqualTo(1));
    }

    @Test
    void namespacesHaveTheirOwnLetters() {
        Letters letters = letters();
        Letters others = letters();
        String id = letters.parked(1);

        assertThat(others.here().find(id)).isNull();
        assertThat(others.ids()).isEmpty();
        assertThat(others.here().counts().get(DeadLetterState.OPEN)).isZero();
        assertThat(others.here().seenAgain(id)).isFalse();
    }

    @Test
    void anyBytesComeBackAsTheyWere() {
        Letters letters = letters();
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        List<Payload> contents = List.of(Payload.EMPTY, Payload.of(new byte[] {0}), Payload.of(bytes));
        for (int i = 0; i < contents.size(); i++) {
            ParkedRequest request = new ParkedRequest(
                    DeadLetterReason.BREAKER_OPENED, request(1).key(), i, contents.get(i));
            letters.here().park(request);
            assertThat(letters.content(request.id())).isEqualTo(contents.get(i));
            assertThat(letters.found(request.id()).contentBytes())
                    .isEqualTo(contents.get(i).size());
        }
    }

    /** Over a thousand requests that are refused at the same time, there is one letter and no occurrence is lost. */
    @Test
    void aThousandParksOfOneCaseAreOneLetter() throws Exception {
        Letters letters = letters();
        AtomicInteger created = new AtomicInteger();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch gate = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            Thread thread = new Thread(() -> {
                try {
                    gate.await();
                    for (int i = 0; i < PARKS / THREADS; i++) {
                        if (letters.here().park(request(1)).isNew()) {
                            created.incrementAndGet();
                        }
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        gate.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failures).isEmpty();
        assertThat(created).hasValue(1);
        assertThat(letters.found(request(1).id()).occurrences()).isEqualTo(PARKS);
        assertThat(letters.ids()).hasSize(1);
    }

    @Test
    void oneOfTwoParksMakesTheLetter() {
        Letters letters = letters();
        AtomicInteger numbers = new AtomicInteger();

        List<Round<ParkedRequest, Parked, Parked>> rounds = Race.run(
                rounds(), () -> request(numbers.incrementAndGet()), letters.here()::park, letters.elsewhere()::park);

        for (Round<ParkedRequest, Parked, Parked> round : rounds) {
            assertThat(List.of(round.left().isNew(), round.right().isNew())).containsExactlyInAnyOrder(true, false);
        }
        for (Round<ParkedRequest, Parked, Parked> round : rounds.subList(0, Math.min(100, rounds.size()))) {
            assertThat(letters.found(round.subject().id()).occurrences()).isEqualTo(2);
        }
    }
}
