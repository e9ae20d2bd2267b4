// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadEncryptionTest {

    private static final byte[] HERE = bytes("here");
    private static final byte[] ELSEWHERE = bytes("elsewhere");
    private static final Payload PLAIN = Payload.of(bytes("card 4111"));

    private final EncryptionKey old = key("2025", 1);
    private final EncryptionKey current = key("2026", 2);
    private final PayloadEncryption encryption = new PayloadEncryption(List.of(current, old));

    /** Test vectors of C2SP's XAES-256-GCM. */
    @ParameterizedTest
    @CsvSource({
        "1, '', ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271",
        "3, c2sp.org/XAES-256-GCM, 986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d",
    })
    void isXaes256Gcm(int secretByte, String context, String ciphertext) throws Exception {
        byte[] vector = HexFormat.of().parseHex(ciphertext);
        ByteBuffer stored = ByteBuffer.allocate(1 + 1 + 1 + 24 + vector.length)
                .put((byte) 0x82)
                .put((byte) 1)
                .put(bytes("k"))
                .put(bytes("ABCDEFGHIJKLMNOPQRSTUVWX"))
                .put(vector);

        Payload plain = new PayloadEncryption(List.of(key("k", secretByte)))
                .decrypt(Payload.of(stored.array()), bytes(context));

        assertThat(plain).isEqualTo(Payload.of(bytes("XAES-256-GCM")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 1_000, 3_000_000})
    void contentOfAnySizeComesBack(int size) throws Exception {
        Payload plain = Payload.of(new byte[size]);
        Payload encrypted = encryption.encrypt(plain, HERE);

        assertThat(encrypted.size()).isEqualTo(size + 42 + "2026".length());
        assertThat(PayloadEncryption.isEncrypted(encrypted)).isTrue();
        assertThat(encryption.decrypt(encrypted, HERE)).isEqualTo(plain);
    }

    @Test
    void nothingOfTheContentIsVisible() {
        String stored = new String(encryption.encrypt(PLAIN, HERE).bytes(), StandardCharsets.ISO_8859_1);
        assertThat(stored).contains("2026").doesNotContain("4111", "card");
    }

    @Test
    void equalContentsAreStoredDifferently() {
        Set<Payload> stored = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            stored.add(encryption.encrypt(PLAIN, HERE));
        }
        assertThat(stored).hasSize(1_000);
    }

    @Test
    void contentCannotBeMoved() {
        assertUnreadable(encryption, encryption.encrypt(PLAIN, HERE), ELSEWHERE, "moved");
    }

    @Test
    void noByteCanBeChanged() {
        byte[] stored = encryption.encrypt(PLAIN, HERE).bytes();
        for (int i = 0; i < stored.length; i++) {
            byte[] changed = stored.clone();
            changed[i] ^= 1;
            assertUnreadable(encryption, Payload.of(changed), HERE, "");
        }
    }

    @Test
    void noByteCanBeLostOrAdded() {
        byte[] stored = encryption.encrypt(PLAIN, HERE).bytes();
        for (int i = 0; i < stored.length; i++) {
            assertUnreadable(encryption, Payload.of(Arrays.copyOf(stored, i)), HERE, "");
        }
        assertUnreadable(encryption, Payload.of(Arrays.copyOf(stored, stored.length + 1)), HERE, "");
    }

    @Test
    void keysAreReplacedOneAfterTheOther() throws Exception {
        PayloadEncryption before = new PayloadEncryption(List.of(old));
        PayloadEncryption prepared = new PayloadEncryption(List.of(old, current));
        PayloadEncryption after = new PayloadEncryption(List.of(current));

        assertThat(encryption.decrypt(before.encrypt(PLAIN, HERE), HERE)).isEqualTo(PLAIN);
        assertThat(prepared.decrypt(encryption.encrypt(PLAIN, HERE), HERE)).isEqualTo(PLAIN);
        assertThat(after.decrypt(encryption.encrypt(PLAIN, HERE), HERE)).isEqualTo(PLAIN);
        assertUnreadable(after, before.encrypt(PLAIN, HERE), HERE, "not configured");
    }

    @Test
    void anotherSecretUnderTheSameNameIsNoKey() {
        PayloadEncryption other = new PayloadEncryption(List.of(key("2026", 9)));
        assertUnreadable(other, encryption.encrypt(PLAIN, HERE), HERE, "another secret of the id 2026");
    }

    @Test
    void contentThatIsNotEncryptedIsUnreadable() {
        assertUnreadable(encryption, PLAIN, HERE, "not encrypted");
        assertUnreadable(encryption, Payload.EMPTY, HERE, "not encrypted");
    }

    @Test
    void secretsAreInNoText() {
        String secret = "ThisIsAVerySecretSecretOf32Bytes";
        EncryptionKey key = new EncryptionKey("k", bytes(secret));
        assertThat(key.toString()).isEqualTo("encryption key k");
        assertThat(new PayloadEncryption(List.of(key)).toString()).isEqualTo("encryption with k of [k]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EncryptionKey("k", bytes(secret + secret)))
                .withMessage("the secret of an encryption key must have 32 bytes, but has 64");
    }

    @Test
    void keysThatCannotBeToldApartAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PayloadEncryption(List.of(key("k", 1), key("k", 2))))
                .withMessage("there are two encryption keys with the id k");
        assertThatIllegalArgumentException().isThrownBy(() -> new PayloadEncryption(List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "ä", "123456789012345678901234567890123", "a:b"})
    void namesThatDoNotFitAreRefused(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> key(id, 1)).withMessageContaining("'" + id + "'");
    }

    private static void assertUnreadable(PayloadEncryption encryption, Payload stored, byte[] context, String message) {
        assertThatThrownBy(() -> encryption.decrypt(stored, context))
                .isInstanceOf(UnreadableContentException.class)
                .hasMessageContaining(message);
    }

    private static EncryptionKey key(String id, int secretByte) {
        byte[] secret = new byte[EncryptionKey.SECRET_BYTES];
        Arrays.fill(secret, (byte) secretByte);
        return new EncryptionKey(id, secret);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
