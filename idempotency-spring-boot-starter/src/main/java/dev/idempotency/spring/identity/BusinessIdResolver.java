// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id of an operation in the business's own words; a bean of this type replaces the places that
 * {@code idempotency.business-id} names. An endpoint's own {@code keyResolver} expression wins over it. May be called from
 * any thread.
 */
@FunctionalInterface
public interface BusinessIdResolver {

    /**
     * Reads the business id.
     *
     * @param request the request, whose body may be read: the handler can read it again
     * @param bizType of the endpoint
     * @return the id, or {@code null} if the request has none
     * @throws InvalidRequestException if the request cannot be told from others; nothing is claimed, and the sender is told
     */
    @Nullable
    String resolve(HttpServletRequest request, String bizType) throws IOException, InvalidRequestException;
}
