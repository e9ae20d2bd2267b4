// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.json.MalformedJsonException;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.Sha256;
import dev.idempotency.policy.IdempotencyLevel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Digests what a call was made with, as JSON. Settings only; may be used from any thread. */
final class ContentFingerprint {

    private final boolean counts;
    private final @Nullable JsonScan scan;
    private final int algorithm;

    /**
     * A way to digest.
     *
     * @param format how values are written; another one says nothing about what the first one wrote
     * @param tokenizer reads JSON by its values; {@code null} to compare bytes
     */
    ContentFingerprint(
            IdempotencyLevel level, String format, List<JsonPointer> ignored, @Nullable JsonTokenizer tokenizer) {
        this.counts = level == IdempotencyLevel.FULL_REQUEST;
        this.scan = tokenizer == null ? null : new JsonScan(tokenizer, ignored, List.of());
        String settings = "method-1 " + level + " " + format + (scan == null ? " raw " : " canonical " + ignored);
        this.algorithm = ByteBuffer.wrap(Sha256.newDigest().digest(settings.getBytes(StandardCharsets.UTF_8)))
                .getInt();
    }

    /** Whether the content makes a difference at all. */
    boolean counts() {
        return counts;
    }

    /** The fingerprint of a call whose content does not count. */
    Fingerprint ofNothing() {
        return Fingerprint.of(algorithm, Sha256.newDigest().digest());
    }

    Fingerprint of(byte[] json) {
        MessageDigest digest = Sha256.newDigest();
        if (scan == null) {
            digest.update(json);
        } else {
            try {
                scan.scan(json, digest);
            } catch (MalformedJsonException e) { // deeper, or with longer numbers, than the tokenizer reads
                digest = Sha256.newDigest();
                digest.update(json);
            }
        }
        return Fingerprint.of(algorithm, digest.digest());
    }
}
