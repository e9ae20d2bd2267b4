// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.event.AuditLog;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes down who did what: to the logger of {@link AuditLog}, as key-value pairs, and to whoever else listens. Never holds a
 * key's text, a body or a header's value.
 */
public final class AuditTrail {

    private static final Logger log = LoggerFactory.getLogger(AuditLog.LOGGER);

    private final BiConsumer<String, Map<String, Object>> listener;

    /**
     * A trail.
     *
     * @param listener told the operator and the data of each entry, event included
     */
    public AuditTrail(BiConsumer<String, Map<String, Object>> listener) {
        this.listener = listener;
    }

    /**
     * Writes an entry down.
     *
     * @param data what was done as {@code event}, what it came to as {@code result}, and what it was done to
     */
    public void add(String operator, Map<String, Object> data) {
        LoggingEventBuilder entry = log.atInfo().addKeyValue("operator", operator);
        for (Map.Entry<String, Object> pair : data.entrySet()) {
            entry = entry.addKeyValue(pair.getKey(), pair.getValue());
        }
        entry.log("{} by {}: {}", data.get("event"), operator, data.get("result"));
        try {
            listener.accept(operator, data);
        } catch (RuntimeException e) {
            log.warn("An entry of the audit trail was not taken by its listener.", e);
        }
    }
}
