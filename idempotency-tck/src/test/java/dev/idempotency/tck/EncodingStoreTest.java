// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.encoding.EncodingStore;
import dev.idempotency.encoding.PayloadCompression;
import dev.idempotency.encryption.EncryptionKey;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.store.IdempotencyStore;
import java.time.Duration;
import java.util.List;

/** Compression and encryption in front of a store leave its behaviour as it is. */
class EncodingStoreTest extends IdempotencyStoreTck {

    private final ManualClock clock = new ManualClock();
    private final IdempotencyStore store = new InMemoryIdempotencyStore(64 << 20, clock);

    @Override
    protected IdempotencyStore openStore() {
        EncryptionKey key = new EncryptionKey("tck", new byte[EncryptionKey.SECRET_BYTES]);
        return new EncodingStore(store, new PayloadCompression(1, 1 << 20), new PayloadEncryption(List.of(key)), false);
    }

    @Override
    protected void elapse(Duration duration) {
        clock.advance(duration);
    }
}
