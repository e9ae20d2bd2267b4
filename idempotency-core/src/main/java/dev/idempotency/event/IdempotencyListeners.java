// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several listeners, each shielded from what the others throw. */
public final class IdempotencyListeners {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyListeners.class);

    private final List<IdempotencyListener> listeners;

    public IdempotencyListeners(List<IdempotencyListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Calls each listener in order; what one throws is logged. */
    public void tell(Consumer<IdempotencyListener> event) {
        for (IdempotencyListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable e) { // even a missing class must not end the operation
                log.warn(
                        "Listener {} failed; the operation goes on.",
                        listener.getClass().getName(),
                        e);
            }
        }
    }
}
