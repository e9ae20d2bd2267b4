// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encoding;

import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.ForwardingStore;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.TransactionParticipant;
import dev.idempotency.store.UnreadableContentException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in front of another that compresses payloads, encrypts them if it has a key, and gives them back as they were.
 * Payloads that it cannot read make a success {@link ClaimResult.Unreadable}; of any other record the payload decides
 * nothing, so it is answered as it is, with an empty one.
 *
 * <p>Reads what was written without compression, and with any settings of it. Status, times, fingerprint and owner of a
 * record are what the other store compares: they are neither encrypted nor authenticated.
 */
public final class EncodingStore extends ForwardingStore {

    private static final Logger log = LoggerFactory.getLogger(EncodingStore.class);

    private final StoredForm form;

    /**
     * A store in front of another.
     *
     * @param encryption what payloads are encrypted with; {@code null} leaves them readable
     * @param acceptUnencrypted whether, with an encryption, payloads that are not encrypted are read all the same.
     *     Whoever can write to the other store can then make up answers.
     */
    public EncodingStore(
            IdempotencyStore store,
            PayloadCompression compression,
            @Nullable PayloadEncryption encryption,
            boolean acceptUnencrypted) {
        super(store);
        this.form = new StoredForm(compression, encryption, acceptUnencrypted);
    }

    @Override
    public ClaimResult claim(Claim claim) {
        ClaimResult result = store.claim(claim.with(form.encode(claim.payload(), claim.key(), claim.owner())));
        if (result instanceof ClaimResult.Completed completed) {
            IdempotencyRecord read = read(completed.found());
            return read == null ? new ClaimResult.Unreadable() : new ClaimResult.Completed(read, completed.remaining());
        }
        if (result instanceof ClaimResult.InProgress running) {
            return new ClaimResult.InProgress(readOrEmpty(running.found()), running.remaining());
        }
        if (result instanceof ClaimResult.KeyReused reused) {
            return new ClaimResult.KeyReused(readOrEmpty(reused.found()));
        }
        if (result instanceof ClaimResult.CoolingDown cooling) {
            return new ClaimResult.CoolingDown(readOrEmpty(cooling.found()), cooling.remaining());
        }
        if (result instanceof ClaimResult.OutcomeUnknown unknown) {
            return new ClaimResult.OutcomeUnknown(readOrEmpty(unknown.found()));
        }
        return result;
    }

    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        if (completion instanceof Completion.Success success) {
            return store.complete(key, owner, encoded(key, owner, success));
        }
        if (completion instanceof Completion.Failure failure) {
            Payload encoded = form.encode(failure.payload(), key, owner);
            return store.complete(key, owner, new Completion.Failure(encoded, failure.ttl(), failure.breaker()));
        }
        return store.complete(key, owner, completion);
    }

    private Completion.Success encoded(RecordKey key, OwnerToken owner, Completion.Success success) {
        return new Completion.Success(form.encode(success.payload(), key, owner), success.ttl());
    }

    @Override
    public Lookup find(RecordKey key) {
        Lookup lookup = store.find(key);
        if (lookup instanceof Lookup.Found found) {
            IdempotencyRecord read = read(found.found());
            return read == null ? new Lookup.Unreadable() : new Lookup.Found(read);
        }
        return lookup;
    }

    @Override
    public @Nullable TransactionParticipant transactionParticipant() {
        TransactionParticipant participant = store.transactionParticipant();
        return participant == null ? null : new EncodingParticipant(participant);
    }

    private final class EncodingParticipant implements TransactionParticipant {

        private final TransactionParticipant participant;

        EncodingParticipant(TransactionParticipant participant) {
            this.participant = participant;
        }

        @Override
        public boolean isInTransaction() {
            return participant.isInTransaction();
        }

        @Override
        public CompletionResult complete(RecordKey key, OwnerToken owner, Completion.Success success) {
            return participant.complete(key, owner, encoded(key, owner, success));
        }
    }

    private @Nullable IdempotencyRecord read(IdempotencyRecord stored) {
        try {
            return stored.with(form.decode(stored.payload(), stored.key(), stored.owner()));
        } catch (UnreadableContentException e) {
            log.warn("The payload of {} cannot be read: {}.", stored.key(), e.getMessage());
            return null;
        }
    }

    private IdempotencyRecord readOrEmpty(IdempotencyRecord stored) {
        IdempotencyRecord read = read(stored);
        return read == null ? stored.with(Payload.EMPTY) : read;
    }
}
