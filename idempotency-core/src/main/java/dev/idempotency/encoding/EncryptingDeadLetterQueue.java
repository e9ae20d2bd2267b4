// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encoding;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue in front of another whose letters' contents are encrypted, each bound to its letter's id. What is beside the
 * content stays readable. A content that cannot be decrypted comes back empty, which opens as a damaged one.
 */
public final class EncryptingDeadLetterQueue implements DeadLetterQueue {

    private static final Logger log = LoggerFactory.getLogger(EncryptingDeadLetterQueue.class);

    private final DeadLetterQueue queue;
    private final PayloadEncryption encryption;
    private final boolean acceptUnencrypted;

    /**
     * A queue in front of another.
     *
     * @param acceptUnencrypted whether contents that are not encrypted are read all the same
     */
    public EncryptingDeadLetterQueue(DeadLetterQueue queue, PayloadEncryption encryption, boolean acceptUnencrypted) {
        this.queue = queue;
        this.encryption = encryption;
        this.acceptUnencrypted = acceptUnencrypted;
    }

    private static byte[] context(String id) {
        return ("dead-letter\0" + id).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String name() {
        return queue.name();
    }

    @Override
    public Parked park(ParkedRequest request) {
        Payload encrypted = encryption.encrypt(request.content(), context(request.id()));
        return queue.park(
                new ParkedRequest(request.id(), request.reason(), request.key(), request.version(), encrypted));
    }

    @Override
    public boolean seenAgain(String id) {
        return queue.seenAgain(id);
    }

    @Override
    public @Nullable DeadLetter find(String id) {
        DeadLetter letter = queue.find(id);
        return letter == null ? null : letter.summary().with(decrypted(letter));
    }

    private Payload decrypted(DeadLetter letter) {
        if (acceptUnencrypted && !PayloadEncryption.isEncrypted(letter.content())) {
            return letter.content();
        }
        try {
            return encryption.decrypt(letter.content(), context(letter.id()));
        } catch (UnreadableContentException e) {
            log.warn("Dead letter {} cannot be read.", letter.id(), e);
            return Payload.EMPTY;
        }
    }

    @Override
    public LetterPage list(LetterFilter filter, @Nullable String start, int size) {
        return queue.list(filter, start, size);
    }

    @Override
    public Map<DeadLetterState, Long> counts() {
        return queue.counts();
    }

    @Override
    public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
        return queue.startRedrive(id, owner, lease, operator);
    }

    @Override
    public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
        return queue.endRedrive(id, owner, outcome);
    }

    @Override
    public LetterChange discard(String id, String operator, String note) {
        return queue.discard(id, operator, note);
    }
}
