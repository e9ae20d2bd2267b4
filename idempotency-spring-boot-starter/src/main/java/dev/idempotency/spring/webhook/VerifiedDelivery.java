// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request once its signature has been verified.
 *
 * @param sender the name of who sent it
 * @param hasEventIds whether the sender's events have ids, which then are the idempotency keys
 * @param eventId the id of the event; {@code null} if this delivery has none
 */
public record VerifiedDelivery(
        String sender, boolean hasEventIds, @Nullable String eventId) {

    private static final String ATTRIBUTE = VerifiedDelivery.class.getName();

    /** What is known of a request; {@code null} if it was not verified. */
    public static @Nullable VerifiedDelivery of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof VerifiedDelivery delivery ? delivery : null;
    }

    /** Without the event's id, which is a key. */
    @Override
    public String toString() {
        return "VerifiedDelivery[sender=" + sender + "]";
    }

    void attachTo(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }
}
