// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;

/**
 * What a request is to the store.
 *
 * @param key the operation that it asks for
 * @param fingerprint digest of its content
 */
public record RequestIdentity(RecordKey key, Fingerprint fingerprint) {}
