// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.RequestSnapshot;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Lets a request that is sent again ask as whoever asked first: their credentials are in no letter. A bean of this type
 * replaces the default. May be called from any thread.
 */
public interface RedriveIdentity {

    /**
     * Makes the request one of the original's principal, before any other filter sees it.
     *
     * @param original the request as it was parked; its principal may be missing
     * @return the request that goes on, which may be the same one
     * @throws RedriveRefusedException if the principal cannot be restored, or must not ask any more
     */
    HttpServletRequest restore(HttpServletRequest request, RequestSnapshot original) throws RedriveRefusedException;
}
