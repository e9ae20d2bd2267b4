// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.conformance;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** The answer that {@code X-Conformance-Answer} asks for; another one each time. */
final class ScriptedAnswer {

    private ScriptedAnswer() {}

    static ResponseEntity<?> to(HttpServletRequest request) {
        String unique = UUID.randomUUID().toString();
        String kind = request.getHeader("X-Conformance-Answer");
        return switch (kind == null ? "created" : kind) {
            case "created" ->
                ResponseEntity.created(URI.create("/conformance/orders/" + unique))
                        .eTag('"' + unique + '"')
                        .body(Map.of("execution", unique));
            case "cookie" ->
                ResponseEntity.ok().header("Set-Cookie", "session=" + unique).body(Map.of("execution", unique));
            case "no-content" -> ResponseEntity.noContent().build();
            case "empty" -> ResponseEntity.ok().build();
            case "accepted" ->
                ResponseEntity.accepted()
                        .location(URI.create("/conformance/jobs/" + unique))
                        .build();
            case "see-other" ->
                ResponseEntity.status(303)
                        .location(URI.create("/conformance/orders/" + unique))
                        .build();
            case "binary" ->
                ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_OCTET_STREAM)
                        .body(everyByte());
            case "throw" -> throw new IllegalStateException("the request asked for it");
            default ->
                ResponseEntity.status(Integer.parseInt(kind))
                        .header("Retry-After", "7")
                        .body(Map.of("execution", unique));
        };
    }

    private static byte[] everyByte() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }
}
