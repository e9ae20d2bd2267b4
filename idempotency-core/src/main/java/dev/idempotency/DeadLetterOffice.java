// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterContent.Failure;
import dev.idempotency.deadletter.DeadLetterContent.RecordSnapshot;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.event.IdempotencyListeners;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.UnreadableContentException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns requests into dead letters. A queue that fails changes no answer: what it did not take is tried again later. */
final class DeadLetterOffice implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterOffice.class);

    private final DeadLetterQueue queue;
    private final IdempotencyStore store;
    private final IdempotencyListeners listeners;
    private final PendingLetters pending;

    DeadLetterOffice(DeadLetterQueue queue, IdempotencyStore store, IdempotencyListeners listeners) {
        this.queue = queue;
        this.store = store;
        this.listeners = listeners;
        this.pending = new PendingLetters(this::keep, this::lost);
    }

    /** Parks a request that was refused because of the record found. */
    void park(DeadLetterReason reason, IdempotentRequest request, IdempotencyRecord found) {
        if (countAgain(reason, request, found.version())) {
            return;
        }
        RecordContent.Failure failure = failure(found.payload());
        park(
                reason,
                request,
                found.version(),
                found.attempts(),
                failure == null ? FailedAttempt.NONE : FailedAttempt.of(failure),
                RecordSnapshot.of(found));
    }

    /** Parks the request of an attempt that has ended. */
    void park(DeadLetterReason reason, Execution execution, long version) {
        IdempotentRequest request = execution.request();
        park(reason, request, version, execution.attempts(), execution.failed(), snapshot(request));
    }

    /** Parks the request of an attempt whose store is silent, in the background: neither of them must be waited for. */
    void parkLater(DeadLetterReason reason, Execution execution, long version) {
        PendingLetters.Letter letter =
                letter(reason, execution.request(), version, execution.attempts(), execution.failed(), null);
        if (letter != null) {
            pending.add(letter);
        }
    }

    /** A letter that is known to the queue, or waits for it, needs no copy of the request. */
    private boolean countAgain(DeadLetterReason reason, IdempotentRequest request, long version) {
        String id = ParkedRequest.id(reason, request.key(), version);
        try {
            if (queue.seenAgain(id)) {
                listeners.tell(listener -> listener.letterParked(request.operation(), reason, false));
                return true;
            }
        } catch (Throwable e) { // of a queue, checked or not, depending on its language
            log.debug("Whether dead letter {} is there is not known.", id, e);
        }
        return false;
    }

    private void park(
            DeadLetterReason reason,
            IdempotentRequest request,
            long version,
            int attempts,
            FailedAttempt failed,
            @Nullable RecordSnapshot snapshot) {
        PendingLetters.Letter letter = letter(reason, request, version, attempts, failed, snapshot);
        if (letter == null) {
            return;
        }
        try {
            keep(letter);
        } catch (IllegalArgumentException e) { // it will never take this one
            lost(letter, e);
        } catch (Throwable e) { // of a queue, checked or not, depending on its language
            log.error(
                    "Dead letter {} could not be parked; it is kept in memory and tried again.",
                    letter.request().id(),
                    e);
            pending.add(letter);
        }
    }

    /** The letter; {@code null} if its request cannot be copied, which is told. */
    private PendingLetters.@Nullable Letter letter(
            DeadLetterReason reason,
            IdempotentRequest request,
            long version,
            int attempts,
            FailedAttempt failed,
            @Nullable RecordSnapshot snapshot) {
        try {
            DeadLetterContent content = new DeadLetterContent(
                    request.transport(),
                    request.snapshot().get(),
                    request.fingerprint(),
                    attempts,
                    failed.failures(),
                    failed.statuses(),
                    request.traceId(),
                    Node.NAME,
                    snapshot);
            return new PendingLetters.Letter(
                    new ParkedRequest(reason, request.key(), version, content.encode()), request.operation());
        } catch (Throwable e) { // of a snapshot, checked or not, depending on its language
            log.error(
                    "Dead letter {} is lost: its request could not be copied.",
                    ParkedRequest.id(reason, request.key(), version),
                    e);
            listeners.tell(listener -> listener.letterLost(request.operation(), reason));
            return null;
        }
    }

    private void keep(PendingLetters.Letter letter) {
        DeadLetterQueue.Parked parked = queue.park(letter.request());
        if (!parked.dropped().isEmpty()) {
            log.error("The dead-letter queue is full; these open letters had to make room: {}.", parked.dropped());
            listeners.tell(listener -> listener.lettersDropped(parked.dropped().size()));
        }
        listeners.tell(listener ->
                listener.letterParked(letter.operation(), letter.request().reason(), parked.isNew()));
    }

    private void lost(PendingLetters.Letter letter, @Nullable Throwable cause) {
        log.error(
                "Dead letter {} is lost: the queue did not take it.",
                letter.request().id(),
                cause);
        listeners.tell(listener ->
                listener.letterLost(letter.operation(), letter.request().reason()));
    }

    private @Nullable RecordSnapshot snapshot(IdempotentRequest request) {
        try {
            return store.find(request.key()) instanceof Lookup.Found found ? RecordSnapshot.of(found.found()) : null;
        } catch (RuntimeException e) { // whatever a store throws, a letter without its record is better than none
            log.debug("The record of a dead letter for {} cannot be read.", request.key(), e);
            return null;
        }
    }

    private static RecordContent.@Nullable Failure failure(Payload content) {
        try {
            if (content.size() > 0 && RecordContent.decode(content) instanceof RecordContent.Failure failure) {
                return failure;
            }
        } catch (UnreadableContentException e) {
            log.debug("The failure of a dead letter cannot be read.", e);
        }
        return null;
    }

    /** Tries once more what the queue did not take. */
    @Override
    public void close() {
        pending.close();
    }

    /** What an attempt failed with: a chain of causes, and the statuses that are known. */
    record FailedAttempt(List<Failure> failures, List<Integer> statuses) {

        static final FailedAttempt NONE = new FailedAttempt(List.of(), List.of());

        static FailedAttempt of(RecordContent.Failure failure) {
            return new FailedAttempt(
                    failure.type().isEmpty() ? List.of() : List.of(new Failure(failure.type(), failure.message())),
                    failure.status() == 0 ? List.of() : List.of(failure.status()));
        }
    }
}
