// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import dev.idempotency.webhook.Secret;
import java.util.Collection;

/**
 * Where the secrets of senders come from that have none in {@code idempotency.webhook.senders}; a bean of this type is such a
 * place. Asked once at start-up and then for every delivery, so that a secret can be replaced without a restart: it should
 * answer from memory. May be called from any thread.
 */
@FunctionalInterface
public interface WebhookSecrets {

    /**
     * The secrets of a sender that are valid at the moment, several while one is being replaced by another.
     *
     * @param sender its name under {@code idempotency.webhook.senders}
     * @return at least one; if there is none, or if this throws, the sender is told to come back later
     */
    Collection<Secret> of(String sender);
}
