// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.identity.RequestIdentifier;
import dev.idempotency.spring.webhook.VerifiedDelivery;
import dev.idempotency.webhook.Acknowledgement;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint whose requests are protected, with everything that start-up knows of it.
 *
 * @param policy the rules of its bizType
 * @param missingKey what happens to a request without an idempotency key
 * @param outcomes what its attempts end in
 * @param identifier makes its requests' record keys and fingerprints
 * @param acknowledgement what the sender of a webhook wants to hear of repeats; {@code null} if this is for other requests
 * @param deliveries the same endpoint for webhooks, by the name of their sender
 */
public record ProtectedEndpoint(
        IdempotencyPolicy policy,
        MissingKey missingKey,
        OutcomeRules outcomes,
        RequestIdentifier identifier,
        @Nullable Acknowledgement acknowledgement,
        Map<String, ProtectedEndpoint> deliveries) {

    public ProtectedEndpoint {
        deliveries = Map.copyOf(deliveries);
    }

    /** An endpoint that knows no senders of webhooks. */
    public ProtectedEndpoint(
            IdempotencyPolicy policy, MissingKey missingKey, OutcomeRules outcomes, RequestIdentifier identifier) {
        this(policy, missingKey, outcomes, identifier, null, Map.of());
    }

    public String bizType() {
        return policy.bizType();
    }

    /** This endpoint as it is for a delivery; itself for any other request. */
    ProtectedEndpoint of(@Nullable VerifiedDelivery delivery) {
        return delivery == null ? this : deliveries.getOrDefault(delivery.sender(), this);
    }
}
