// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCompressionTest {

    private static final int MEGABYTE = 1 << 20;
    private static final Payload TEXT =
            Payload.of("{\"status\":\"created\"},".repeat(500).getBytes(StandardCharsets.UTF_8));

    private final PayloadCompression compression = new PayloadCompression(100, MEGABYTE);

    @Test
    void largeTextBecomesSmallAndComesBack() throws Exception {
        Payload compressed = compression.compress(TEXT);
        assertThat(compressed.size()).isLessThan(TEXT.size() / 10);
        assertThat(PayloadCompression.isCompressed(compressed)).isTrue();
        assertThat(compression.decompress(compressed)).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 4_096, MEGABYTE})
    void allSizesWithinTheLimitsComeBack(int size) throws Exception {
        Payload zeros = Payload.of(new byte[size]);
        Payload compressed = compression.compress(zeros);
        assertThat(compressed.size()).isLessThan(size);
        assertThat(compression.decompress(compressed)).isEqualTo(zeros);
    }

    @Test
    void whatIsSmallOrTooLargeOrDoesNotShrinkIsLeftAsItIs() {
        byte[] random = new byte[10_000];
        new Random(7).nextBytes(random);
        for (byte[] bytes : new byte[][] {new byte[0], new byte[99], new byte[MEGABYTE + 1], random}) {
            assertThat(compression.compress(Payload.of(bytes))).isNull();
        }
        assertThat(new PayloadCompression(Integer.MAX_VALUE, MEGABYTE).compress(TEXT))
                .isNull();
        for (int size = 1; size < 30; size++) {
            Payload compressed = new PayloadCompression(1, MEGABYTE).compress(Payload.of(new byte[size]));
            assertThat(compressed == null || compressed.size() <= size).isTrue();
        }
    }

    @Test
    void aBombIsNotInflated() {
        int bomb = 200 * MEGABYTE;
        Payload compressed = new PayloadCompression(1, bomb).compress(Payload.of(new byte[bomb]));
        assertThat(compressed.size()).isLessThan(MEGABYTE);
        assertUnreadable(compressed, "at most " + MEGABYTE + " are read");
    }

    @Test
    void aBombThatLiesAboutItsSizeIsNotInflated() {
        byte[] bomb = new PayloadCompression(1, 4 * MEGABYTE)
                .compress(Payload.of(new byte[4 * MEGABYTE]))
                .bytes()
                .clone();
        ByteBuffer.wrap(bomb).putInt(1, 1_000);
        assertUnreadable(Payload.of(bomb), "damaged");
    }

    @Test
    void aSizeThatSoFewBytesCannotHaveIsNotAllocated() {
        byte[] tiny = ByteBuffer.allocate(10)
                .put(PayloadCompression.FORM)
                .putInt(MEGABYTE)
                .array();
        assertUnreadable(Payload.of(tiny), "damaged");
        ByteBuffer.wrap(tiny).putInt(1, -1);
        assertUnreadable(Payload.of(tiny), "damaged");
    }

    @Test
    void whatWasCutOrLengthenedIsUnreadable() {
        byte[] whole = compression.compress(TEXT).bytes();
        for (int i = 1; i < whole.length; i++) {
            assertUnreadable(Payload.of(Arrays.copyOf(whole, i)), "damaged");
        }
        assertUnreadable(Payload.of(Arrays.copyOf(whole, whole.length + 1)), "damaged");
    }

    @Test
    void noBitCanBeLost() throws Exception {
        byte[] whole = compression.compress(TEXT).bytes();
        for (int i = 1; i < whole.length; i++) {
            for (int bit = 1; bit < 0x100; bit <<= 1) {
                byte[] changed = whole.clone();
                changed[i] ^= (byte) bit;
                try {
                    // The compression level in zlib's own header is for information only (RFC 1950).
                    assertThat(compression.decompress(Payload.of(changed))).isEqualTo(TEXT);
                } catch (UnreadableContentException expected) {
                    assertThat(expected).hasMessageContaining("bytes");
                }
            }
        }
    }

    @Test
    void limitsThatAreNoneAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PayloadCompression(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new PayloadCompression(1, 0));
    }

    private void assertUnreadable(Payload stored, String message) {
        assertThatThrownBy(() -> compression.decompress(stored))
                .isInstanceOf(UnreadableContentException.class)
                .hasMessageContaining(message);
    }
}
