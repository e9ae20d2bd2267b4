// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.conformance;

import dev.idempotency.Idempotent;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The endpoints that docs/conformance-kit.md describes. */
@RestController
@Profile("conformance")
@CrossOrigin(
        origins = "https://conformance.example",
        allowedHeaders = {"Content-Type", "Idempotency-Key"})
class ConformanceController {

    private final Executions executions;

    ConformanceController(Executions executions) {
        this.executions = executions;
    }

    @Idempotent(bizType = "conformance")
    @PostMapping({"/conformance/orders", "/conformance/refunds"})
    ResponseEntity<?> post(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @Idempotent(bizType = "conformance")
    @PatchMapping("/conformance/orders")
    ResponseEntity<?> patch(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @GetMapping("/conformance/orders")
    ResponseEntity<?> get(HttpServletRequest request) {
        executions.happen(request);
        return ScriptedAnswer.to(request);
    }

    @PostMapping("/conformance/unprotected")
    ResponseEntity<?> unprotected(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @Idempotent(bizType = "conformance_optional_key")
    @PostMapping("/conformance/optional-key")
    ResponseEntity<?> optionalKey(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @Idempotent(bizType = "conformance_kept_402")
    @PostMapping("/conformance/kept-402")
    ResponseEntity<?> kept402(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @Idempotent(bizType = "conformance_waiting")
    @PostMapping("/conformance/waiting")
    ResponseEntity<?> waiting(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @Idempotent(bizType = "conformance_short_lease")
    @PostMapping("/conformance/short-lease")
    ResponseEntity<?> shortLease(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @Idempotent(bizType = "conformance_short_lived")
    @PostMapping("/conformance/short-lived")
    ResponseEntity<?> shortLived(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return order(order, request);
    }

    @Idempotent(bizType = "conformance")
    @PostMapping("/conformance/async")
    CompletableFuture<ResponseEntity<?>> async(@RequestBody Map<String, Object> order, HttpServletRequest request) {
        return CompletableFuture.supplyAsync(() -> order(order, request));
    }

    @Idempotent(bizType = "conformance")
    @PostMapping("/conformance/forms")
    ResponseEntity<?> forms(@RequestParam Map<String, String> parameters, HttpServletRequest request) {
        executions.happen(request);
        return ResponseEntity.ok(new TreeMap<>(parameters).toString());
    }

    /** Verified and kept by its sender in the profile's settings. */
    @PostMapping("/conformance/webhook")
    ResponseEntity<?> webhook(@RequestBody Map<String, Object> event, HttpServletRequest request) {
        executions.happen(request);
        return ScriptedAnswer.to(request);
    }

    private ResponseEntity<?> order(Map<String, Object> order, HttpServletRequest request) {
        if (!order.containsKey("order_id")) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "order_id is missing");
        }
        executions.happen(request);
        return ScriptedAnswer.to(request);
    }
}
