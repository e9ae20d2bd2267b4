// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sender's idempotency key; a bean of this type replaces {@link IdempotencyKeyHeader}. Called once per request to
 * a protected endpoint, before its body is read, which it must leave alone. May be called from any thread.
 */
@FunctionalInterface
public interface IdempotencyKeyResolver {

    /**
     * Reads the key.
     *
     * @return the key, or {@code null} if the request has none; a blank one is refused
     * @throws InvalidRequestException if what is in the key's place is no key; nothing is claimed, and the sender is told
     */
    @Nullable
    String resolve(HttpServletRequest request) throws InvalidRequestException;

    /** What a request without a key lacks, in words for its sender. */
    default String description() {
        return "an idempotency key";
    }
}
