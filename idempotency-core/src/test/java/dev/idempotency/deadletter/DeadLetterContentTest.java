// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.deadletter.DeadLetterContent.Failure;
import dev.idempotency.deadletter.DeadLetterContent.RecordSnapshot;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoredResponse.Field;
import dev.idempotency.store.UnreadableContentException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadLetterContentTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.000001Z");
    private static final RequestSnapshot REQUEST = new RequestSnapshot(
            "POST",
            "/orders/ä",
            "a=b&c",
            List.of(new Field("X-Idempotency-Key", "K1"), new Field("Empty", "")),
            Payload.of("{\"id\":1}".getBytes(StandardCharsets.UTF_8)),
            false,
            "alice",
            List.of("Authorization"),
            List.of("/card/number"));
    private static final DeadLetterContent FULL = new DeadLetterContent(
            "http",
            REQUEST,
            Fingerprint.of(7, new byte[Fingerprint.DIGEST_BYTES]),
            3,
            List.of(new Failure("java.io.IOException", "reset"), new Failure("X", "")),
            List.of(500, 503),
            "trace",
            "1@host",
            new RecordSnapshot(5, RecordStatus.FAILED, 3, NOW, NOW, NOW, NOW.plusSeconds(1), NOW, List.of(NOW, NOW)));
    private static final DeadLetterContent BARE = new DeadLetterContent(
            "method",
            new RequestSnapshot("method", "Orders.create", null, List.of(), Payload.EMPTY, true, null),
            Fingerprint.of(0, new byte[Fingerprint.DIGEST_BYTES]),
            0,
            List.of(),
            List.of(),
            null,
            "",
            null);

    @Test
    void whatIsWrittenIsRead() throws Exception {
        assertThat(DeadLetterContent.decode(FULL.encode())).isEqualTo(FULL);
        assertThat(DeadLetterContent.decode(BARE.encode())).isEqualTo(BARE);
    }

    @Test
    void everyShorterOrLongerFormIsDamaged() {
        byte[] bytes = FULL.encode().bytes();
        for (int length = 0; length < bytes.length; length++) {
            assertUnreadable(Arrays.copyOf(bytes, length));
        }
        assertUnreadable(Arrays.copyOf(bytes, bytes.length + 1));
    }

    @Test
    void damageNeverCostsMoreThanTheLetterHasBytes() {
        byte[] bytes = FULL.encode().bytes();
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] = (byte) 0x7f;
            try {
                DeadLetterContent.decode(Payload.of(damaged));
            } catch (UnreadableContentException e) {
                assertThat(e).hasMessageContaining("dead letter");
            }
        }
    }

    @Test
    void anUnknownFormatIsSaidToBeUnknown() {
        byte[] bytes = FULL.encode().bytes();
        bytes[0] = 9;
        assertThatThrownBy(() -> DeadLetterContent.decode(Payload.of(bytes)))
                .isInstanceOf(UnreadableContentException.class)
                .hasMessage("unknown format 9 of a dead letter");
    }

    @Test
    void longChainsAndMessagesAreShortened() {
        DeadLetterContent content = new DeadLetterContent(
                "http",
                REQUEST,
                FULL.fingerprint(),
                1,
                java.util.Collections.nCopies(100, new Failure("T", "m".repeat(501))),
                List.of(),
                null,
                "",
                null);

        assertThat(content.failures()).hasSize(DeadLetterContent.MAX_FAILURES);
        assertThat(content.failures().get(0).message()).hasSize(Failure.MAX_MESSAGE);
    }

    @Test
    void onlyAWholeBodyWithNothingReplacedIsOriginal() {
        assertThat(REQUEST.isBodyOriginal()).isFalse();
        assertThat(BARE.request().isBodyOriginal()).isTrue();
    }

    private static void assertUnreadable(byte[] bytes) {
        assertThatThrownBy(() -> DeadLetterContent.decode(Payload.of(bytes)))
                .isInstanceOf(UnreadableContentException.class);
    }
}
