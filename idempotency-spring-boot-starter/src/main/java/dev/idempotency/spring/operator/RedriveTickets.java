// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of this process, each known by a secret of 256 bits that is good for one request. They never leave the process
 * that made them. May be used from any thread.
 */
public final class RedriveTickets {

    private static final int SECRET_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final ConcurrentMap<String, Issued> issued = new ConcurrentHashMap<>();

    private record Issued(RedriveTicket ticket, long deadlineNanos) {}

    /**
     * Issues a ticket.
     *
     * @param validFor how long it may be taken
     * @return its secret
     */
    String issue(RedriveTicket ticket, Duration validFor) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        issued.put(token, new Issued(ticket, System.nanoTime() + validFor.toNanos()));
        return token;
    }

    /** The ticket of that secret, once; {@code null} if there is none, or it is too late. */
    @Nullable
    RedriveTicket take(String token) {
        Issued taken = issued.remove(token);
        return taken == null || System.nanoTime() - taken.deadlineNanos() > 0 ? null : taken.ticket();
    }

    void revoke(String token) {
        issued.remove(token);
    }
}
