// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.IdempotencyContext;
import dev.idempotency.Idempotent;
import dev.idempotency.policy.OnDuplicate;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Service;

/** Protected methods of every shape: each effect is named by the key. */
@Service
public class MethodService {

    public enum Colour {
        RED,
        GREEN
    }

    public record Line(String item, BigDecimal price) {}

    public record Receipt(
            UUID id,
            Colour colour,
            Instant at,
            ZonedDateTime zoned,
            Long number,
            Optional<String> note,
            List<Line> lines) {}

    @Idempotent(bizType = "method", keyResolver = "#id")
    public Receipt receipt(String id) {
        Effects.happen(id);
        return new Receipt(
                UUID.randomUUID(),
                Colour.GREEN,
                Instant.ofEpochSecond(1, 123_456_789),
                ZonedDateTime.parse("2026-02-28T12:00:00+01:00[Europe/Paris]"),
                1L,
                Optional.of("n"),
                List.of(new Line("a", new BigDecimal("1.10"))));
    }

    @Idempotent(bizType = "method", keyResolver = "#id")
    public Map<String, List<Line>> generic(String id) {
        Effects.happen(id);
        return Map.of(UUID.randomUUID().toString(), List.of(new Line("a", new BigDecimal("1.10"))));
    }

    @Idempotent(bizType = "method", keyResolver = "#id")
    public Optional<Line> optional(String id, boolean there) {
        Effects.happen(id);
        return there ? Optional.of(new Line(UUID.randomUUID().toString(), BigDecimal.ONE)) : Optional.empty();
    }

    @Idempotent(bizType = "method", keyResolver = "#id")
    public void send(String id) {
        Effects.happen(id);
    }

    @Idempotent(bizType = "method", keyResolver = "#id")
    public Integer none(String id) {
        Effects.happen(id);
        return null;
    }

    @Idempotent(bizType = "method", keyResolver = "#id")
    public String textNull(String id) {
        Effects.happen(id);
        return "null";
    }

    @Idempotent(bizType = "method", keyResolver = "#id")
    public CompletableFuture<Line> later(String id) {
        IdempotencyContext context = IdempotencyContext.current().orElseThrow();
        return CompletableFuture.supplyAsync(() -> afterGate(id, context.attempt()));
    }

    private static Line afterGate(String id, int attempt) {
        Effects.happen(id);
        try {
            Effects.passGate(id);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new Line(UUID.randomUUID().toString(), BigDecimal.valueOf(attempt));
    }

    @Idempotent(bizType = "method", keyResolver = "#id")
    public Line gated(String id) {
        return afterGate(id, 1);
    }

    @Idempotent(bizType = "method_waiting", keyResolver = "#id", onDuplicate = OnDuplicate.WAIT)
    public Line waiting(String id) {
        return afterGate(id, 1);
    }

    /** Fails the first time, telling its record key. */
    @Idempotent(bizType = "method", keyResolver = "#id")
    public Line planted(String id) {
        Effects.happen(id);
        throw new IllegalStateException(
                IdempotencyContext.current().orElseThrow().key().hex());
    }

    @PreAuthorize("authentication.name == 'alice'")
    @Idempotent(bizType = "method", keyResolver = "#id")
    public Line secured(String id) {
        Effects.happen(id);
        return new Line(UUID.randomUUID().toString(), BigDecimal.ONE);
    }
}
