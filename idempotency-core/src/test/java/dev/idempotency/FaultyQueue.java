// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

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

/** A queue in front of a real one, that takes nothing while it has a fault. */
final class FaultyQueue implements DeadLetterQueue {

    private final DeadLetterQueue real;
    volatile RuntimeException fault;

    FaultyQueue(DeadLetterQueue real) {
        this.real = real;
    }

    private DeadLetterQueue real() {
        if (fault != null) {
            throw fault;
        }
        return real;
    }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public Parked park(ParkedRequest request) {
        return real().park(request);
    }

    @Override
    public boolean seenAgain(String id) {
        return real().seenAgain(id);
    }

    @Override
    public DeadLetter find(String id) {
        return real().find(id);
    }

    @Override
    public LetterPage list(LetterFilter filter, String start, int size) {
        return real().list(filter, start, size);
    }

    @Override
    public Map<DeadLetterState, Long> counts() {
        return real().counts();
    }

    @Override
    public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
        return real().startRedrive(id, owner, lease, operator);
    }

    @Override
    public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
        return real().endRedrive(id, owner, outcome);
    }

    @Override
    public LetterChange discard(String id, String operator, String note) {
        return real().discard(id, operator, note);
    }
}
