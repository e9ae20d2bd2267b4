// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import dev.idempotency.IdempotencyContext;
import dev.idempotency.Idempotent;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.policy.StoreFailure;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Protected endpoints: one effect, and an answer that names it. */
@RestController
class EffectController {

    private final EffectLog effects;
    private final Holds holds;

    EffectController(EffectLog effects, Holds holds) {
        this.effects = effects;
        this.holds = holds;
    }

    @PostMapping("/effects")
    @Idempotent(bizType = "effect")
    Map<String, Long> effect(@RequestHeader("X-Idempotency-Key") String operation) {
        return append(operation);
    }

    /** Where an orphan is left to a person. */
    @PostMapping("/uncertain-effects")
    @Idempotent(bizType = "uncertain", onOrphan = OnOrphan.UNCERTAIN)
    Map<String, Long> uncertain(@RequestHeader("X-Idempotency-Key") String operation) {
        return append(operation);
    }

    /** Where a silent store stops nobody. */
    @PostMapping("/open-effects")
    @Idempotent(bizType = "open", storeFailure = StoreFailure.OPEN)
    Map<String, Long> open(@RequestHeader("X-Idempotency-Key") String operation) {
        return append(operation);
    }

    private Map<String, Long> append(String operation) {
        holds.at(Point.BEFORE_EFFECT);
        IdempotencyContext context = IdempotencyContext.current().orElse(null);
        long id = context == null
                ? effects.append(operation, 0, 0)
                : effects.append(operation, context.attempt(), context.version());
        holds.at(Point.AFTER_EFFECT);
        return Map.of("effect", id);
    }
}
