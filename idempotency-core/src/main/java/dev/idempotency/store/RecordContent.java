// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import org.jspecify.annotations.Nullable;

/** What the payload of a record says, beside the fields that a store compares. */
public sealed interface RecordContent {

    /** Trace id of the attempt that wrote the record, if it was traced. */
    @Nullable
    String traceId();

    /**
     * The bytes to store.
     *
     * @throws IllegalArgumentException if one of its texts has more than 65535 bytes in UTF-8, or an answer more than
     *     65535 fields
     */
    default Payload encode() {
        return RecordContentCodec.encode(this);
    }

    /**
     * Reads stored bytes.
     *
     * @throws UnreadableContentException if they are damaged or of an unknown format
     */
    static RecordContent decode(Payload payload) throws UnreadableContentException {
        return RecordContentCodec.decode(payload);
    }

    /** An attempt is running; nothing is known but who traces it. */
    record Started(@Nullable String traceId) implements RecordContent {}

    /** The operation succeeded and this is its answer. */
    record Answer(@Nullable String traceId, StoredResponse response) implements RecordContent {}

    /** The operation succeeded; its answer had too many bytes to be kept. */
    record AnswerTooLarge(@Nullable String traceId) implements RecordContent {}

    /**
     * The last attempt failed.
     *
     * @param type class name of the exception, or empty if a status alone told of the failure
     * @param message the exception's message, shortened to {@value #MAX_MESSAGE} characters; empty if there was none
     * @param status the access layer's status code of the failure, 0 if it had none yet; up to 65535
     */
    record Failure(@Nullable String traceId, String type, String message, int status) implements RecordContent {

        /** Characters of a failure's message that are kept. */
        public static final int MAX_MESSAGE = 500;

        public Failure {
            StoredResponse.requireStatus(status);
            if (message.length() > MAX_MESSAGE) {
                boolean cutsPair = Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1));
                message = message.substring(0, cutsPair ? MAX_MESSAGE - 1 : MAX_MESSAGE);
            }
        }
    }
}
