// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.encryption.EncryptionKey;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.TransactionParticipant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What lies in the store behind, and what becomes of payloads there that are not what they should be. */
class EncodingStoreTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Payload LARGE =
            Payload.of("{\"status\":\"created\"},".repeat(500).getBytes(StandardCharsets.UTF_8));
    private static final PayloadCompression COMPRESSION = new PayloadCompression(1_000, 1 << 20);
    private static final PayloadEncryption ENCRYPTION =
            new PayloadEncryption(List.of(new EncryptionKey("k", new byte[EncryptionKey.SECRET_BYTES])));

    private final Tampered behind = new Tampered(new InMemoryIdempotencyStore(10_000_000));
    private final EncodingStore plain = new EncodingStore(behind, COMPRESSION, null, false);
    private final EncodingStore encrypting = new EncodingStore(behind, COMPRESSION, ENCRYPTION, false);
    private final EncodingStore lenient = new EncodingStore(behind, COMPRESSION, ENCRYPTION, true);
    private final RecordKey key = key("a");
    private final OwnerToken owner = OwnerToken.random();

    @Test
    void smallContentCostsNotAByte() {
        succeed(plain, Payload.of(new byte[] {1, 2, 3}));
        assertThat(stored(key)).isEqualTo(Payload.of(new byte[] {1, 2, 3}));
    }

    @Test
    void largeContentIsStoredCompressed() {
        succeed(plain, LARGE);
        assertThat(stored(key).size()).isLessThan(LARGE.size() / 10);
        assertThat(answer(plain)).isEqualTo(LARGE);
        assertThat(answer(new EncodingStore(behind, new PayloadCompression(Integer.MAX_VALUE, 1 << 20), null, false)))
                .isEqualTo(LARGE);
    }

    @Test
    void contentIsCompressedBeforeItIsEncrypted() {
        succeed(encrypting, LARGE);
        assertThat(PayloadEncryption.isEncrypted(stored(key))).isTrue();
        assertThat(stored(key).size()).isLessThan(LARGE.size() / 10);
        assertThat(answer(encrypting)).isEqualTo(LARGE);
        assertThat(answer(lenient)).isEqualTo(LARGE);
    }

    @Test
    void contentThatLooksLikeAFormComesBackAsItWas() {
        contentOfEveryBeginningMustComeBack(plain);
        contentOfEveryBeginningMustComeBack(encrypting);
    }

    private void contentOfEveryBeginningMustComeBack(EncodingStore store) {
        for (int first = 0; first < 0x100; first++) {
            RecordKey each = key(OwnerToken.random().toString());
            Payload content = Payload.of(new byte[] {(byte) first, 7, 7, 7, 7, 7});
            store.claim(claim(each, owner));
            store.complete(each, owner, new Completion.Success(content, HOUR));
            assertThat(((Lookup.Found) store.find(each)).found().payload()).isEqualTo(content);
        }
    }

    @Test
    void everyPayloadOnItsWayIsEncrypted() {
        encrypting.claim(claim(key, owner));
        assertThat(PayloadEncryption.isEncrypted(stored(key))).isTrue();
        encrypting.complete(key, owner, new Completion.Failure(LARGE, HOUR, BreakerPolicy.OFF));
        assertThat(PayloadEncryption.isEncrypted(stored(key))).isTrue();
        TransactionParticipant participant = encrypting.transactionParticipant();
        assertThat(participant).isNotNull();
        assertThat(participant.isInTransaction()).isTrue();
        participant.complete(key, owner, new Completion.Success(LARGE, HOUR));
        assertThat(PayloadEncryption.isEncrypted(behind.inTransaction)).isTrue();
    }

    @Test
    void anAnswerThatWasMovedFromAnotherKeyIsNotGiven() {
        RecordKey other = key("b");
        encrypting.claim(claim(other, owner));
        encrypting.complete(other, owner, new Completion.Success(LARGE, HOUR));
        Payload moved = stored(other);
        succeed(encrypting, Payload.of(new byte[] {1}));
        behind.tamper(payload -> moved);
        assertUnreadable(encrypting);
    }

    @Test
    void anOlderAnswerOfTheSameKeyIsNotGiven() {
        succeed(encrypting, LARGE);
        Payload older = stored(key);
        InMemoryIdempotencyStore later = new InMemoryIdempotencyStore(1_000_000);
        Tampered replaced = new Tampered(later);
        EncodingStore store = new EncodingStore(replaced, COMPRESSION, ENCRYPTION, false);
        OwnerToken next = OwnerToken.random();
        store.claim(claim(key, next));
        store.complete(key, next, new Completion.Success(LARGE, HOUR));
        assertThat(answer(store)).isEqualTo(LARGE);
        replaced.tamper(payload -> older);
        assertUnreadable(store);
    }

    @Test
    void contentThatIsNotEncryptedIsReadOnlyIfThatIsAllowed() {
        succeed(plain, LARGE);
        assertUnreadable(encrypting);
        assertThat(answer(lenient)).isEqualTo(LARGE);
    }

    @Test
    void encryptedContentIsUnreadableWithoutAKey() {
        succeed(encrypting, LARGE);
        assertUnreadable(plain);
    }

    @Test
    void formsOfTheFutureAndDamageAreUnreadable() {
        succeed(plain, LARGE);
        for (byte[] bytes :
                new byte[][] {{(byte) 0x83, 1}, {(byte) 0xff}, {(byte) 0x81}, {(byte) 0x81, 0, 0, 1, 0, 9}}) {
            behind.tamper(payload -> Payload.of(bytes));
            assertUnreadable(plain);
            assertUnreadable(lenient);
        }
    }

    @Test
    void answersThatNeedNoPayloadAreGivenWithoutIt() {
        encrypting.claim(claim(key, owner));
        assertThat(plain.claim(claim(key, OwnerToken.random())))
                .isInstanceOfSatisfying(
                        ClaimResult.InProgress.class,
                        running -> assertThat(running.found().payload()).isEqualTo(Payload.EMPTY));
        assertThat(plain.claim(other(key))).isInstanceOf(ClaimResult.KeyReused.class);
        assertThat(plain.find(key)).isInstanceOf(Lookup.Unreadable.class);
        encrypting.complete(key, owner, new Completion.Failure(LARGE, HOUR, new BreakerPolicy(1, HOUR, HOUR)));
        assertThat(plain.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.CoolingDown.class);
    }

    private void succeed(EncodingStore store, Payload payload) {
        store.claim(claim(key, owner));
        store.complete(key, owner, new Completion.Success(payload, HOUR));
    }

    private Payload answer(EncodingStore store) {
        ClaimResult result = store.claim(claim(key, OwnerToken.random()));
        assertThat(result).isInstanceOf(ClaimResult.Completed.class);
        Payload answer = ((ClaimResult.Completed) result).found().payload();
        assertThat(((Lookup.Found) store.find(key)).found().payload()).isEqualTo(answer);
        return answer;
    }

    private void assertUnreadable(EncodingStore store) {
        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Unreadable.class);
        assertThat(store.find(key)).isInstanceOf(Lookup.Unreadable.class);
    }

    private Payload stored(RecordKey of) {
        return ((Lookup.Found) behind.find(of)).found().payload();
    }

    private static RecordKey key(String id) {
        return RecordKey.builder("order").part("id", id).build();
    }

    private static Claim claim(RecordKey key, OwnerToken owner) {
        return claim(key, owner, 1);
    }

    private static Claim other(RecordKey key) {
        return claim(key, OwnerToken.random(), 2);
    }

    private static Claim claim(RecordKey key, OwnerToken owner, int content) {
        byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
        digest[0] = (byte) content;
        return new Claim(
                key, owner, Fingerprint.of(1, digest), HOUR, HOUR, OnOrphan.TAKE_OVER, Payload.of(new byte[] {1}));
    }

    /** Hands out payloads as somebody with access to the backend may have left them. */
    private static final class Tampered implements IdempotencyStore {

        private final IdempotencyStore store;
        private UnaryOperator<Payload> tampering = UnaryOperator.identity();
        private Payload inTransaction = Payload.EMPTY;

        Tampered(IdempotencyStore store) {
            this.store = store;
        }

        void tamper(UnaryOperator<Payload> tampering) {
            this.tampering = tampering;
        }

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult result = store.claim(claim);
            return result instanceof ClaimResult.Completed completed
                    ? new ClaimResult.Completed(tampered(completed.found()), completed.remaining())
                    : result;
        }

        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return store.renew(renewals);
        }

        @Override
        public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
            return store.complete(key, owner, completion);
        }

        @Override
        public ReleaseResult release(RecordKey key, long version) {
            return store.release(key, version);
        }

        @Override
        public Lookup find(RecordKey key) {
            return store.find(key) instanceof Lookup.Found found
                    ? new Lookup.Found(tampered(found.found()))
                    : new Lookup.Absent();
        }

        @Override
        public @Nullable TransactionParticipant transactionParticipant() {
            return new TransactionParticipant() {
                @Override
                public boolean isInTransaction() {
                    return true;
                }

                @Override
                public CompletionResult complete(RecordKey key, OwnerToken owner, Completion.Success success) {
                    inTransaction = success.payload();
                    return store.complete(key, owner, success);
                }
            };
        }

        private IdempotencyRecord tampered(IdempotencyRecord found) {
            return new IdempotencyRecord(
                    found.key(),
                    found.version(),
                    found.status(),
                    found.owner(),
                    found.leaseEnd(),
                    found.fingerprint(),
                    found.attempts(),
                    found.window(),
                    tampering.apply(found.payload()),
                    found.createdAt(),
                    found.updatedAt(),
                    found.expiresAt());
        }
    }
}
