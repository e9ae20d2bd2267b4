// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What the groups of rules on dead letters share: a queue of one's own, seen through two instances. */
abstract class LetterRules {

    static final Duration LONG = Duration.ofHours(1);
    static final RedriveOutcome RAN = new RedriveOutcome(RedriveOutcome.Result.RAN, 201);
    static final RedriveOutcome IN_PROGRESS = new RedriveOutcome(RedriveOutcome.Result.IN_PROGRESS, 409);

    private final DeadLetterQueueTck tck;

    LetterRules(DeadLetterQueueTck tck) {
        this.tck = tck;
    }

    /**
     * A queue that nothing has been parked in.
     *
     * @param here where steps are made unless they say otherwise
     * @param elsewhere the same queue, as another node sees it
     */
    record Letters(DeadLetterQueue here, DeadLetterQueue elsewhere) {

        /** The letter, which must be there. */
        DeadLetterSummary found(String id) {
            return letter(id).summary();
        }

        Payload content(String id) {
            return letter(id).content();
        }

        private DeadLetter letter(String id) {
            DeadLetter letter = elsewhere.find(id);
            if (letter == null) {
                throw new AssertionError("letter " + id + " is not there");
            }
            return letter;
        }

        List<String> ids() {
            return ids(LetterFilter.ALL);
        }

        List<String> ids(LetterFilter filter) {
            return elsewhere.list(filter, null, LetterPage.MAX_SIZE).letters().stream()
                    .map(DeadLetterSummary::id)
                    .toList();
        }

        /** Parks an open letter of this number. */
        String parked(int number) {
            here.park(request(number));
            return request(number).id();
        }

        String redriven(int number) {
            String id = parked(number);
            OwnerToken owner = OwnerToken.random();
            changed(here.startRedrive(id, owner, LONG, "ann"));
            changed(here.endRedrive(id, owner, RAN));
            return id;
        }

        String discarded(int number) {
            String id = parked(number);
            changed(here.discard(id, "ann", "a test"));
            return id;
        }
    }

    final Letters letters() {
        return letters(new DeadLetterLimits(10_000, 64 << 20, LONG));
    }

    final Letters letters(DeadLetterLimits limits) {
        String namespace = "tck-" + Long.toHexString(OwnerToken.random().high());
        return new Letters(tck.open(namespace, limits), tck.open(namespace, limits));
    }

    static DeadLetterSummary changed(LetterChange change) {
        assertThat(change).isInstanceOf(LetterChange.Changed.class);
        return ((LetterChange.Changed) change).letter();
    }

    static ParkedRequest request(int number) {
        return request(DeadLetterReason.BREAKER_OPENED, "tck.letter", number, "content " + number);
    }

    static ParkedRequest request(DeadLetterReason reason, String bizType, int number, String content) {
        RecordKey key = RecordKey.builder(bizType)
                .part("number", Integer.toString(number))
                .build();
        return new ParkedRequest(reason, key, 1_000 + number, Payload.of(content.getBytes(StandardCharsets.UTF_8)));
    }

    final Duration units(int count) {
        return tck.unit().multipliedBy(count);
    }

    final void elapse(Duration duration) {
        try {
            tck.elapse(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the queue's clock moved on", e);
        } catch (Exception e) {
            throw new IllegalStateException("the queue's clock did not move on", e);
        }
    }

    final int rounds() {
        return tck.rounds();
    }
}
