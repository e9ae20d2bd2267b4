// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.UnreadableContentException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is inside a dead letter: the request, and how things stood when it was parked first.
 *
 * @param transport how the request arrived, one of a small set such as {@code http}
 * @param request the request that was parked first
 * @param fingerprint digest of its content
 * @param attempts how often the operation had been tried
 * @param failures what the last attempt failed with, each followed by its cause; at most {@value #MAX_FAILURES}
 * @param statuses the access layer's status codes of the failure, as far as they are known
 * @param traceId trace of the attempt or refusal that parked it, if traced
 * @param node the process that parked it
 * @param snapshot the record at that time; {@code null} if there was none or the store gave no answer
 */
public record DeadLetterContent(
        String transport,
        RequestSnapshot request,
        Fingerprint fingerprint,
        int attempts,
        List<Failure> failures,
        List<Integer> statuses,
        @Nullable String traceId,
        String node,
        @Nullable RecordSnapshot snapshot) {

    /** Most exceptions of a chain of causes that are kept. */
    public static final int MAX_FAILURES = 20;

    public DeadLetterContent {
        failures = List.copyOf(failures.size() > MAX_FAILURES ? failures.subList(0, MAX_FAILURES) : failures);
        statuses = List.copyOf(statuses);
    }

    /** The bytes to store. */
    public Payload encode() {
        return DeadLetterCodec.encode(this);
    }

    /**
     * Reads stored bytes.
     *
     * @throws UnreadableContentException if they are damaged or of an unknown format
     */
    public static DeadLetterContent decode(Payload payload) throws UnreadableContentException {
        return DeadLetterCodec.decode(payload);
    }

    /**
     * One exception of a chain of causes.
     *
     * @param type its class name
     * @param message its message, shortened to {@value #MAX_MESSAGE} characters; empty if it had none
     */
    public record Failure(String type, String message) {

        /** Characters of a message that are kept. */
        public static final int MAX_MESSAGE = 500;

        public Failure {
            if (message.length() > MAX_MESSAGE) {
                boolean cutsPair = Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1));
                message = message.substring(0, cutsPair ? MAX_MESSAGE - 1 : MAX_MESSAGE);
            }
        }
    }

    /**
     * A record as it was when a letter was parked, without its payload.
     *
     * @param cooledUntil end of the cool-down, if the breaker was open
     * @param recentFailures when the attempts within the breaker's window failed, oldest first
     */
    public record RecordSnapshot(
            long version,
            RecordStatus status,
            int attempts,
            Instant createdAt,
            Instant updatedAt,
            Instant leaseEnd,
            Instant expiresAt,
            @Nullable Instant cooledUntil,
            List<Instant> recentFailures) {

        public RecordSnapshot {
            recentFailures = List.copyOf(recentFailures);
        }

        /** The record as it is. */
        public static RecordSnapshot of(IdempotencyRecord found) {
            return new RecordSnapshot(
                    found.version(),
                    found.status(),
                    found.attempts(),
                    found.createdAt(),
                    found.updatedAt(),
                    found.leaseEnd(),
                    found.expiresAt(),
                    found.window().cooledUntil(),
                    found.window().failures());
        }
    }
}
