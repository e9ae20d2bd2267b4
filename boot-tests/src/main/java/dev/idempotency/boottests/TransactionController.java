// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Handlers whose effect is a row, committed together with the record. */
@RestController
@ConditionalOnProperty("transactional")
class TransactionController {

    private final TransactionService service;

    TransactionController(TransactionService service) {
        this.service = service;
    }

    @Idempotent(bizType = "transactional", transactional = true)
    @PostMapping("/transactional")
    ResponseEntity<String> handle(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String step,
            HttpServletRequest request,
            HttpServletResponse response)
            throws Exception {
        String note = String.valueOf(body.get("note"));
        int execution = Effects.happen(note);
        service.insert(note);
        String unique = UUID.randomUUID().toString();
        if (execution > 1) {
            return ResponseEntity.ok(unique);
        }
        switch (step) {
            case "throw" -> throw new IOException("the handler broke");
            case "rollback-only" -> service.askForRollback();
            case "swallowed" -> service.failQuietly();
            case "commit-fails" -> service.failAtCommit();
            case "fails-after-commit" -> service.failAfterCommit();
            case "elsewhere" -> request.startAsync();
            case "gate" -> Effects.passGate(note);
            case "large" -> unique = unique.repeat(20_000);
            case "send-error-402" -> {
                response.sendError(402, "no money");
                return null;
            }
            default -> {}
        }
        int status = Character.isDigit(step.charAt(0)) ? Integer.parseInt(step) : 200;
        return ResponseEntity.status(status).body(unique);
    }

    /** Its transaction is its own, so that its record is written once its connection is given back. */
    @Idempotent(bizType = "own_transaction")
    @PostMapping("/own-transaction")
    ResponseEntity<String> handle(@RequestBody Map<String, Object> body) {
        String note = String.valueOf(body.get("note"));
        Effects.happen(note);
        service.insertAndPassGate(note);
        return ResponseEntity.ok(UUID.randomUUID().toString());
    }

    /** Calls a protected method; the request itself is not protected. */
    @PostMapping("/transactional-method")
    ResponseEntity<String> callMethod(@RequestBody Map<String, Object> body, @RequestHeader("X-Script") String step) {
        String note = String.valueOf(body.get("note"));
        boolean rollsBack = step.equals("surrounded-rollback-at-first") && Effects.count(note) == 0;
        return ResponseEntity.ok(
                step.startsWith("surrounded")
                        ? service.placeWithin(note, step, rollsBack)
                        : service.proxied().place(note, step));
    }
}
