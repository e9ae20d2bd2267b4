// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.UnreadableContentException;
import java.util.List;

/** The letters of a queue, opened; the one parked last first. */
final class Letters {

    private Letters() {}

    record Letter(DeadLetterReason reason, RecordKey key, long version, long occurrences, DeadLetterContent content) {

        int attempts() {
            return content.attempts();
        }

        RequestSnapshot request() {
            return content.request();
        }

        /** The outermost failure with its message, else the status. */
        String failure() {
            if (!content.failures().isEmpty()) {
                DeadLetterContent.Failure outermost = content.failures().get(0);
                return outermost.type() + ": " + outermost.message();
            }
            return content.statuses().isEmpty()
                    ? null
                    : "status " + content.statuses().get(0);
        }
    }

    static List<Letter> of(DeadLetterQueue queue) {
        return queue.list(LetterFilter.ALL, null, LetterPage.MAX_SIZE).letters().stream()
                .map(summary -> new Letter(
                        summary.reason(),
                        summary.key(),
                        summary.version(),
                        summary.occurrences(),
                        open(queue, summary.id())))
                .toList();
    }

    private static DeadLetterContent open(DeadLetterQueue queue, String id) {
        try {
            return DeadLetterContent.decode(queue.find(id).content());
        } catch (UnreadableContentException e) {
            throw new IllegalStateException(e);
        }
    }
}
