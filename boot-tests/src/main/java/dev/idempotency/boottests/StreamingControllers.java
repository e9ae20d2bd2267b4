// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import dev.idempotency.policy.Streaming;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Answers that are sent while they are made. */
final class StreamingControllers {

    private StreamingControllers() {}

    @RestController
    static class Bypassed {

        @Idempotent(bizType = "streamed", streaming = Streaming.BYPASS)
        @PostMapping("/events")
        SseEmitter events(@RequestParam("note") String note) {
            Effects.happen(note);
            SseEmitter emitter = new SseEmitter(30_000L);
            CompletableFuture.runAsync(
                    () -> {
                        try {
                            emitter.send("first");
                            Effects.passGate(note);
                            emitter.send("last");
                            emitter.complete();
                        } catch (IOException | InterruptedException e) {
                            emitter.completeWithError(e);
                        }
                    },
                    Effects.BACKGROUND);
            return emitter;
        }

        @Idempotent(bizType = "streamed", streaming = Streaming.BYPASS)
        @PostMapping("/streamed")
        ResponseEntity<StreamingResponseBody> streamed(@RequestParam("note") String note) {
            Effects.happen(note);
            return ResponseEntity.ok(out -> {
                try {
                    // More than any buffer: Spring 7 ignores a flush.
                    out.write(("first" + " ".repeat(50_000)).getBytes(StandardCharsets.UTF_8));
                    Effects.passGate(note);
                    out.write("last".getBytes(StandardCharsets.UTF_8));
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            });
        }
    }

    @RestController
    @ConditionalOnProperty("streaming-unannounced")
    static class Unannounced {

        @Idempotent(bizType = "streamed")
        @PostMapping("/unannounced")
        ResponseEntity<StreamingResponseBody> unannounced() {
            return ResponseEntity.ok(out -> {});
        }
    }
}
