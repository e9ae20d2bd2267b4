// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.store.Completion;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.UnreadableContentException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns requests into dead letters; a queue that fails is logged and changes no answer. */
final class DeadLetterOffice {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterOffice.class);

    private final DeadLetterQueue queue;

    DeadLetterOffice(DeadLetterQueue queue) {
        this.queue = queue;
    }

    /** Parks a request that was refused because of the record found. */
    void park(DeadLetterReason reason, IdempotentRequest request, IdempotencyRecord found) {
        park(reason, request, found.version(), found.attempts(), found.payload());
    }

    /** Parks the request of an attempt that has ended. */
    void park(DeadLetterReason reason, Execution execution, long version, Completion completion) {
        Payload failure = completion instanceof Completion.Failure failed ? failed.payload() : Payload.EMPTY;
        park(reason, execution.request(), version, execution.attempts(), failure);
    }

    private void park(DeadLetterReason reason, IdempotentRequest request, long version, int attempts, Payload content) {
        try {
            queue.park(DeadLetter.first(
                    reason,
                    request.key(),
                    version,
                    attempts,
                    request.snapshot().get(),
                    failure(content),
                    request.traceId(),
                    Instant.now()));
        } catch (Throwable e) { // of a queue or of a snapshot, checked or not, depending on their language
            log.error("A dead letter ({}) for {}, version {}, could not be parked.", reason, request.key(), version, e);
        }
    }

    private static @Nullable String failure(Payload content) {
        try {
            if (content.size() > 0 && RecordContent.decode(content) instanceof RecordContent.Failure failure) {
                return failure.type().isEmpty()
                        ? "status " + failure.status()
                        : failure.type() + ": " + failure.message();
            }
        } catch (UnreadableContentException e) {
            log.debug("The failure of a dead letter cannot be read.", e);
        }
        return null;
    }
}
