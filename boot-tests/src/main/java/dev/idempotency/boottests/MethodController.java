// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.IdempotencyContext;
import dev.idempotency.Idempotent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that ask for their context, and one that calls a protected method of another bean. */
@RestController
@Idempotent(bizType = "method_http")
class MethodController {

    private final MethodService service;

    MethodController(MethodService service) {
        this.service = service;
    }

    @PostMapping("/context")
    String context(@RequestBody Map<String, Object> body) {
        Effects.happen(String.valueOf(body.get("note")));
        return describe();
    }

    @PostMapping("/context-async")
    Callable<String> contextAsync(@RequestBody Map<String, Object> body) {
        Effects.happen(String.valueOf(body.get("note")));
        return IdempotencyContext.current().orElseThrow().wrap((Callable<String>) MethodController::describe);
    }

    private static String describe() {
        IdempotencyContext context = IdempotencyContext.current().orElseThrow();
        return context.key().bizType() + " " + context.attempt() + " " + (context.version() > 0) + " "
                + context.derivedKey("step");
    }

    @PostMapping("/not-stored")
    String notStored(@RequestBody Map<String, Object> body) {
        IdempotencyContext.current().orElseThrow().doNotStore();
        return "run " + Effects.happen(String.valueOf(body.get("note")));
    }

    @PostMapping("/stored-briefly")
    String storedBriefly(@RequestBody Map<String, Object> body) {
        IdempotencyContext.current().orElseThrow().storeFor(Duration.ofMillis(500));
        return "run " + Effects.happen(String.valueOf(body.get("note")));
    }

    @PostMapping("/nested")
    MethodService.Receipt nested(@RequestBody Map<String, Object> body) {
        return service.receipt(String.valueOf(body.get("note")));
    }
}
