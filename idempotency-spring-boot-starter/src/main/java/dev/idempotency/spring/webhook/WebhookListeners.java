// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one, each shielded from what the others throw. */
public final class WebhookListeners implements WebhookListener {

    private static final Logger log = LoggerFactory.getLogger(WebhookListeners.class);

    private final List<WebhookListener> listeners;

    public WebhookListeners(Stream<WebhookListener> listeners) {
        this.listeners = listeners.toList();
    }

    @Override
    public void arrived(String sender, String outcome) {
        tell(listener -> listener.arrived(sender, outcome));
    }

    @Override
    public void covered(String sender, String bizType, String of, double share) {
        tell(listener -> listener.covered(sender, bizType, of, share));
    }

    private void tell(Consumer<WebhookListener> event) {
        for (WebhookListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                log.warn(
                        "Listener {} failed; the delivery goes on.",
                        listener.getClass().getName(),
                        e);
            }
        }
    }
}
