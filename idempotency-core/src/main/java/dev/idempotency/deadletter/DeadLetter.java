// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;

/**
 * A request parked for a person, with what is known of it.
 *
 * @param summary what a queue compares, filters and changes
 * @param content the encoded {@link DeadLetterContent}, which never changes
 */
public record DeadLetter(DeadLetterSummary summary, Payload content) {

    public String id() {
        return summary.id();
    }

    /**
     * Reads what is inside.
     *
     * @throws UnreadableContentException if it is damaged or of an unknown format
     */
    public DeadLetterContent open() throws UnreadableContentException {
        return DeadLetterContent.decode(content);
    }
}
