// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import dev.idempotency.policy.MissingKey;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Orders: each effect is named by the note that the test puts into the body. */
@RestController
class OrderController {

    @Idempotent(bizType = "create_order")
    @PostMapping("/orders")
    ResponseEntity<Map<String, Object>> create(@RequestBody Map<String, Object> order) {
        Effects.happen(String.valueOf(order.get("note")));
        String id = UUID.randomUUID().toString();
        return ResponseEntity.created(URI.create("/orders/" + id))
                .eTag("v1")
                .header("Link", "</a>; rel=\"next\"", "</b>; rel=\"prev\"")
                .header("Content-Disposition", "attachment; filename=\"a,b.txt\"")
                .header("Set-Cookie", "session=" + id)
                .body(Map.of("id", id, "customer", "Zoë 李 🙂"));
    }

    @Idempotent(bizType = "create_order")
    @PatchMapping("/orders")
    ResponseEntity<String> patch(@RequestBody Map<String, Object> order) {
        return text(order);
    }

    @Idempotent(bizType = "create_order")
    @PostMapping("/other-orders")
    ResponseEntity<String> createElsewhere(@RequestBody Map<String, Object> order) {
        return text(order);
    }

    @Idempotent(bizType = "create_order")
    @PostMapping("/orders/{id}/lines")
    ResponseEntity<String> addLine(@PathVariable("id") String id, @RequestBody Map<String, Object> line) {
        return text(line);
    }

    @Idempotent(bizType = "lenient", missingKey = MissingKey.BYPASS)
    @PostMapping("/lenient")
    ResponseEntity<String> lenient(@RequestBody Map<String, Object> order) {
        return text(order);
    }

    @Idempotent(bizType = "by_business_id", missingKey = MissingKey.BUSINESS_ID)
    @PostMapping("/by-business-id")
    ResponseEntity<String> byBusinessId(@RequestBody Map<String, Object> order) {
        return text(order);
    }

    @Idempotent(bizType = "resolved", keyResolver = "SpEL:#cmd.userId + '_' + #cmd.orderNo", ttl = "10m")
    @PostMapping("/resolved")
    ResponseEntity<String> resolved(@RequestBody Command cmd) {
        Effects.happen(cmd.note());
        return ResponseEntity.ok(UUID.randomUUID().toString());
    }

    record Command(String userId, Integer orderNo, String note) {}

    @PostMapping("/unprotected")
    ResponseEntity<String> unprotected(@RequestBody Map<String, Object> order) {
        return text(order);
    }

    @Idempotent(bizType = "create_order")
    @GetMapping("/orders/{note}")
    ResponseEntity<String> read(@PathVariable("note") String note) {
        Effects.happen(note);
        return ResponseEntity.ok(UUID.randomUUID().toString());
    }

    private static ResponseEntity<String> text(Map<String, Object> body) {
        Effects.happen(String.valueOf(body.get("note")));
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_PLAIN)
                .body(UUID.randomUUID().toString());
    }
}
