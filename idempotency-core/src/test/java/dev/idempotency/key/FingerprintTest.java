// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {

    private final byte[] content = new byte[Fingerprint.DIGEST_BYTES];
    private final byte[] otherContent = new byte[Fingerprint.DIGEST_BYTES];

    {
        otherContent[31] = 1;
    }

    @Test
    void onlyOtherContentByTheSameAlgorithmContradicts() {
        Fingerprint first = Fingerprint.of(1, content);
        assertThat(first.contradicts(Fingerprint.of(1, content))).isFalse();
        assertThat(first.contradicts(Fingerprint.of(1, otherContent))).isTrue();
        assertThat(first.contradicts(Fingerprint.of(2, content))).isFalse();
        assertThat(first.contradicts(Fingerprint.of(2, otherContent))).isFalse();
    }

    @Test
    void equalOnlyIfBothAlgorithmAndDigestAre() {
        assertThat(Fingerprint.of(1, content))
                .isEqualTo(Fingerprint.of(1, content))
                .hasSameHashCodeAs(Fingerprint.of(1, content))
                .isNotEqualTo(Fingerprint.of(2, content))
                .isNotEqualTo(Fingerprint.of(1, otherContent));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33})
    void aDigestOfAnotherLengthIsRefused(int length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprint.of(1, new byte[length]))
                .withMessage("a fingerprint has 32 bytes, not " + length);
    }

    @Test
    void neitherTheArrayGivenNorTheOneHandedOutIsItsOwn() {
        Fingerprint fingerprint = Fingerprint.of(1, content);
        content[0] = 9;
        fingerprint.toBytes()[1] = 9;
        assertThat(fingerprint.toBytes()).containsOnly(0);
    }
}
