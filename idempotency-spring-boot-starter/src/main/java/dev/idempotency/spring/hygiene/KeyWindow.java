// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.hygiene;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The last keys of one sender with what came under them, as hashes: {@value #SIZE} pairs and no more, whatever comes. May be
 * used from any thread.
 */
final class KeyWindow {

    static final int SIZE = 256;

    /** A corrected request under the old key is a mistake; the third content is a habit. */
    private static final int MANY = 3;

    private final long[] keys = new long[SIZE];
    private final long[] contents = new long[SIZE];
    private int next;
    private int size;

    /** Adds a key and its content; whether the key has come with many contents. */
    synchronized boolean add(String key, Fingerprint content) {
        long keyHash = hash(Sha256.newDigest().digest(key.getBytes(StandardCharsets.UTF_8)));
        long contentHash = hash(content.toBytes());
        int others = 0;
        for (int i = 0; i < size; i++) {
            if (keys[i] == keyHash) {
                if (contents[i] == contentHash) {
                    return false; // a repeat
                }
                others++;
            }
        }
        keys[next] = keyHash;
        contents[next] = contentHash;
        next = (next + 1) % SIZE;
        size = Math.min(SIZE, size + 1);
        return others >= MANY - 1;
    }

    private static long hash(byte[] digest) {
        return ByteBuffer.wrap(digest).getLong();
    }
}
