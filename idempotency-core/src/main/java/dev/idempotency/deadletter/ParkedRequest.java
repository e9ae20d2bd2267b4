// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Payload;
import java.util.Locale;

/**
 * A request as it is handed to a queue.
 *
 * @param id of the letter: the same for every occurrence of one opening, orphan or stale completion
 * @param reason why it is parked
 * @param key the operation
 * @param version the record's version that the letter is about
 * @param content the encoded {@link DeadLetterContent}
 */
public record ParkedRequest(String id, DeadLetterReason reason, RecordKey key, long version, Payload content) {

    /** Most characters of an id; they are of {@code A-Z a-z 0-9 _ . -}. */
    public static final int MAX_ID = 160;

    private static final int KEY_DIGITS = 16;

    /** A request about one version of an operation's record. */
    public ParkedRequest(DeadLetterReason reason, RecordKey key, long version, Payload content) {
        this(id(reason, key, version), reason, key, version, content);
    }

    /** The id of the letter about one version of an operation's record. */
    public static String id(DeadLetterReason reason, RecordKey key, long version) {
        return key.bizType() + "-" + key.hex().substring(0, KEY_DIGITS) + "-"
                + Long.toString(version, Character.MAX_RADIX) + "-"
                + reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
