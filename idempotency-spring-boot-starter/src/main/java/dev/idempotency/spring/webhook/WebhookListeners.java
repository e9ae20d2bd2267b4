// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import java.util.List;
import java.util.stream.Stream;

/** Several listeners as one. */
public final class WebhookListeners implements WebhookListener {

    private final List<WebhookListener> listeners;

    public WebhookListeners(Stream<WebhookListener> listeners) {
        this.listeners = listeners.toList();
    }

    @Override
    public void arrived(String sender, String outcome) {
        listeners.forEach(listener -> listener.arrived(sender, outcome));
    }

    @Override
    public void covered(String sender, String bizType, String of, double share) {
        listeners.forEach(listener -> listener.covered(sender, bizType, of, share));
    }
}
