// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.encryption.EncryptionKey;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.key.RecordKey;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.util.List;
import org.junit.jupiter.api.Test;

class EncryptingDeadLetterQueueTest {

    private static final Payload SECRET = Payload.of("nobody may see this".getBytes(UTF_8));

    private final PayloadEncryption encryption =
            new PayloadEncryption(List.of(new EncryptionKey("k", new byte[EncryptionKey.SECRET_BYTES])));
    private final InMemoryDeadLetterQueue behind = new InMemoryDeadLetterQueue();
    private final EncryptingDeadLetterQueue queue = new EncryptingDeadLetterQueue(behind, encryption, false);
    private final ParkedRequest request = new ParkedRequest(
            DeadLetterReason.BREAKER_OPENED, RecordKey.builder("b").build(), 1, SECRET);

    @Test
    void contentIsReadableInFrontOnly() {
        queue.park(request);

        assertThat(queue.find(request.id()).content()).isEqualTo(SECRET);
        assertThat(new String(behind.find(request.id()).content().bytes(), UTF_8))
                .doesNotContain("nobody");
    }

    @Test
    void contentOfOneLetterIsNoneOfAnother() {
        queue.park(request);
        ParkedRequest moved = new ParkedRequest(
                request.reason(), request.key(), 2, behind.find(request.id()).content());
        behind.park(moved);

        assertUnreadable(queue, moved.id());
    }

    @Test
    void whatIsNotEncryptedIsReadOnlyIfThatIsWanted() {
        behind.park(request);

        assertUnreadable(queue, request.id());
        assertThat(new EncryptingDeadLetterQueue(behind, encryption, true)
                        .find(request.id())
                        .content())
                .isEqualTo(SECRET);
    }

    private static void assertUnreadable(EncryptingDeadLetterQueue queue, String id) {
        assertThatExceptionOfType(UnreadableContentException.class)
                .isThrownBy(() -> queue.find(id).open());
    }
}
