// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.store.OwnerToken;
import java.time.Duration;
import java.util.Map;

/** A sound queue, each of whose steps can be overridden to plant a fault. */
class WrappedQueue implements DeadLetterQueue {

    final DeadLetterQueue sound;

    WrappedQueue(DeadLetterQueue sound) {
        this.sound = sound;
    }

    @Override
    public String name() {
        return "wrapped";
    }

    @Override
    public Parked park(ParkedRequest request) {
        return sound.park(request);
    }

    @Override
    public boolean seenAgain(String id) {
        return sound.seenAgain(id);
    }

    @Override
    public DeadLetter find(String id) {
        return sound.find(id);
    }

    @Override
    public LetterPage list(LetterFilter filter, String start, int size) {
        return sound.list(filter, start, size);
    }

    @Override
    public Map<DeadLetterState, Long> counts() {
        return sound.counts();
    }

    @Override
    public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
        return sound.startRedrive(id, owner, lease, operator);
    }

    @Override
    public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
        return sound.endRedrive(id, owner, outcome);
    }

    @Override
    public LetterChange discard(String id, String operator, String note) {
        return sound.discard(id, operator, note);
    }
}
