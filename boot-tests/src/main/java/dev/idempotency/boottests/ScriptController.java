// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Does what the header {@code X-Script} says: one step for each execution, the last one again and again. */
@RestController
class ScriptController {

    @Idempotent(bizType = "scripted")
    @PostMapping("/scripted")
    ResponseEntity<String> scripted(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String script,
            HttpServletResponse response)
            throws Exception {
        return run(body, script, response);
    }

    @Idempotent(bizType = "keeps_402")
    @PostMapping("/keeps-402")
    ResponseEntity<String> keeps402(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String script,
            HttpServletResponse response)
            throws Exception {
        return run(body, script, response);
    }

    @Idempotent(bizType = "short_lease")
    @PostMapping("/short-lease")
    ResponseEntity<String> shortLease(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String script,
            HttpServletResponse response)
            throws Exception {
        return run(body, script, response);
    }

    @Idempotent(bizType = "uncertain")
    @PostMapping("/uncertain")
    ResponseEntity<String> uncertain(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String script,
            HttpServletResponse response)
            throws Exception {
        return run(body, script, response);
    }

    @Idempotent(bizType = "waiting")
    @PostMapping("/waiting")
    ResponseEntity<String> waiting(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String script,
            HttpServletResponse response)
            throws Exception {
        return run(body, script, response);
    }

    @Idempotent(bizType = "open")
    @PostMapping("/open")
    ResponseEntity<String> open(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String script,
            HttpServletResponse response)
            throws Exception {
        return run(body, script, response);
    }

    @Idempotent(bizType = "fuzzed")
    @PostMapping("/fuzzed")
    ResponseEntity<String> fuzzed(
            @RequestBody Map<String, Object> body,
            @RequestHeader("X-Script") String script,
            HttpServletResponse response)
            throws Exception {
        return run(body, script, response);
    }

    @Idempotent(bizType = "scripted")
    @PreAuthorize("authentication.name == 'admin'")
    @PostMapping("/admins-only")
    ResponseEntity<String> adminsOnly(@RequestBody Map<String, Object> body) {
        Effects.happen(String.valueOf(body.get("note")));
        return ResponseEntity.ok("done");
    }

    private static ResponseEntity<String> run(Map<String, Object> body, String script, HttpServletResponse response)
            throws Exception {
        String note = String.valueOf(body.get("note"));
        int execution = Effects.happen(note);
        List<String> steps = List.of(script.split(","));
        String step = steps.get(Math.min(execution, steps.size()) - 1);
        String unique = UUID.randomUUID().toString();
        return switch (step) {
            case "throw" -> throw new IOException("the handler broke");
            case "throw-mapped" -> throw new MappedException(unique);
            case "throw-illegal-argument" -> throw new IllegalArgumentException("the handler broke");
            case "throw-status" -> throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "no money");
            case "send-error-402" -> {
                response.sendError(402, "no money");
                yield null;
            }
            case "send-error-409" -> {
                response.sendError(409, "no");
                yield null;
            }
            case "throw-after-gate" -> {
                Effects.passGate(note);
                throw new IOException("the handler broke");
            }
            case "gate" -> {
                Effects.passGate(note);
                yield ResponseEntity.ok(unique);
            }
            case "hang" -> {
                Thread.sleep(30_000);
                yield ResponseEntity.ok(unique);
            }
            case "pause-2s" -> {
                Thread.sleep(2_000);
                yield ResponseEntity.ok(unique);
            }
            case "204" -> ResponseEntity.noContent().build();
            case "200-empty" -> ResponseEntity.ok().build();
            case "202" ->
                ResponseEntity.accepted()
                        .header("Location", "/jobs/" + unique)
                        .header("Retry-After", "7")
                        .build();
            case "303" ->
                ResponseEntity.status(303)
                        .header("Location", "/there/" + unique)
                        .build();
            case "429", "503" ->
                ResponseEntity.status(Integer.parseInt(step))
                        .header("Retry-After", "9")
                        .body(unique);
            case "large-text" -> ResponseEntity.ok((unique + " ").repeat(5_000));
            case "large" -> ResponseEntity.ok("x".repeat(300_000));
            default -> ResponseEntity.status(Integer.parseInt(step)).body(unique);
        };
    }

    static class MappedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        MappedException(String message) {
            super(message);
        }
    }

    @ExceptionHandler(MappedException.class)
    ResponseEntity<String> mapped(MappedException e) {
        return ResponseEntity.status(402).body("mapped " + e.getMessage());
    }
}
