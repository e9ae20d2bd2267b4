// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.identity.RequestIdentifier;

/**
 * An endpoint whose requests are protected, with everything that start-up knows of it.
 *
 * @param policy the rules of its bizType
 * @param missingKey what happens to a request without an idempotency key
 * @param outcomes what its attempts end in
 * @param identifier makes its requests' record keys and fingerprints
 */
public record ProtectedEndpoint(
        IdempotencyPolicy policy, MissingKey missingKey, OutcomeRules outcomes, RequestIdentifier identifier) {

    public String bizType() {
        return policy.bizType();
    }
}
