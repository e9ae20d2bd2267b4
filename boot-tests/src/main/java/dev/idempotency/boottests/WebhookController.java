// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import dev.idempotency.key.Sha256;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Receives webhooks: the effect is named by the header {@code X-Note}, what to do stands in {@code X-Script}. */
@RestController
@ConditionalOnProperty("webhooks")
class WebhookController {

    /** Any method; answers with the digest of the bytes that it reads. */
    @RequestMapping("/hooks/{sender}")
    ResponseEntity<String> receive(
            @PathVariable("sender") String sender,
            @RequestHeader("X-Note") String note,
            @RequestHeader(name = "X-Script", defaultValue = "200") String script,
            HttpServletRequest request)
            throws Exception {
        int execution = Effects.happen(note);
        List<String> steps = List.of(script.split(","));
        String step = steps.get(Math.min(execution, steps.size()) - 1);
        if (step.equals("gate-200") || step.equals("gate-500")) {
            Effects.passGate(note);
        }
        int status = Integer.parseInt(step.substring(step.length() - 3));
        return ResponseEntity.status(status)
                .header("X-Run", UUID.randomUUID().toString())
                .body(digest(request));
    }

    private static String digest(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readAllBytes();
        return HexFormat.of().formatHex(Sha256.newDigest().digest(body));
    }

    /** Answers with every value of the parameter {@code payload}. */
    @PostMapping("/hooks/form")
    ResponseEntity<String> form(@RequestHeader("X-Note") String note, HttpServletRequest request) {
        Effects.happen(note);
        return ResponseEntity.ok(Arrays.toString(request.getParameterValues("payload")));
    }

    @Idempotent(bizType = "annotated_hook", ttl = "100d")
    @PostMapping("/hooks/annotated")
    ResponseEntity<String> annotated(@RequestHeader("X-Note") String note) {
        Effects.happen(note);
        return ResponseEntity.ok(UUID.randomUUID().toString());
    }

    /** The literal that some senders want. */
    @PostMapping("/hooks/literal")
    ResponseEntity<byte[]> literal(@RequestHeader("X-Note") String note) {
        Effects.happen(note);
        return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body("success".getBytes());
    }

    @PostMapping("/hooks/xml")
    ResponseEntity<byte[]> xml(@RequestHeader("X-Note") String note) {
        Effects.happen(note);
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("text/xml;charset=GBK"))
                .body("<xml><return_code><![CDATA[SUCCESS]]></return_code></xml>".getBytes());
    }

    /** More than is kept. */
    @PostMapping("/hooks/large")
    ResponseEntity<String> large(@RequestHeader("X-Note") String note) {
        Effects.happen(note);
        return ResponseEntity.ok("x".repeat(300_000));
    }
}
