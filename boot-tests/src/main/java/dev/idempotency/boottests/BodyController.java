// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;

/** Requests and answers of every shape. */
@RestController
@Idempotent(bizType = "bodies")
class BodyController {

    @PostMapping("/form")
    String form(HttpServletRequest request, @RequestParam("note") String note) {
        Effects.happen(note);
        StringBuilder parameters = new StringBuilder();
        request.getParameterMap()
                .forEach((name, values) -> parameters
                        .append(name)
                        .append('=')
                        .append(Arrays.toString(values))
                        .append(' '));
        return parameters.append(UUID.randomUUID()).toString();
    }

    @PutMapping("/form")
    String putForm(@RequestParam("note") String note) {
        Effects.happen(note);
        return note + UUID.randomUUID();
    }

    @PostMapping("/upload")
    String upload(@RequestParam("note") String note, @RequestParam("file") MultipartFile file) throws IOException {
        Effects.happen(note);
        return file.getOriginalFilename() + " " + file.getBytes().length + " " + UUID.randomUUID();
    }

    /** Takes whatever comes. */
    @PostMapping("/parts")
    String parts(HttpServletRequest request, @RequestParam("note") String note) throws IOException {
        Effects.happen(note);
        try {
            return request.getParts().size() + " " + UUID.randomUUID();
        } catch (ServletException | IllegalStateException e) {
            return "none " + UUID.randomUUID();
        }
    }

    @PostMapping("/stream")
    String stream(HttpServletRequest request, @RequestParam("note") String note) throws IOException {
        Effects.happen(note);
        return request.getInputStream().readAllBytes().length + " " + UUID.randomUUID();
    }

    @PostMapping("/reader")
    String reader(HttpServletRequest request, @RequestParam("note") String note) throws IOException {
        Effects.happen(note);
        return request.getReader().readLine() + " " + UUID.randomUUID();
    }

    @PostMapping("/raw-body")
    String rawBody(@RequestParam("note") String note, @RequestBody(required = false) byte @Nullable [] body) {
        Effects.happen(note);
        return (body == null ? 0 : body.length) + " " + UUID.randomUUID();
    }

    @PostMapping("/writer")
    void writer(HttpServletResponse response, @RequestParam("note") String note) throws IOException {
        Effects.happen(note);
        response.setContentType("text/plain;charset=ISO-8859-1");
        response.getWriter().print("Zoë " + UUID.randomUUID());
        response.flushBuffer();
    }

    @PostMapping("/binary")
    ResponseEntity<byte[]> binary(@RequestParam("note") String note) {
        Effects.happen(note);
        byte[] bytes = (UUID.randomUUID() + "\u0000\u00ff").getBytes(StandardCharsets.ISO_8859_1);
        HttpHeaders headers = new HttpHeaders();
        headers.add("Content-Type", "application/octet-stream");
        headers.add("Vary", "Accept");
        headers.add("Vary", "Accept-Language");
        return new ResponseEntity<>(bytes, headers, HttpStatus.OK);
    }

    @PostMapping("/future")
    CompletableFuture<String> future(@RequestBody Map<String, Object> body) {
        String note = String.valueOf(body.get("note"));
        return CompletableFuture.supplyAsync(() -> afterGate(note), Effects.BACKGROUND);
    }

    @PostMapping("/callable")
    Callable<String> callable(@RequestBody Map<String, Object> body) {
        String note = String.valueOf(body.get("note"));
        return () -> afterGate(note);
    }

    @PostMapping("/deferred")
    DeferredResult<String> deferred(@RequestBody Map<String, Object> body) {
        String note = String.valueOf(body.get("note"));
        DeferredResult<String> result = new DeferredResult<>();
        CompletableFuture.supplyAsync(() -> afterGate(note), Effects.BACKGROUND).thenAccept(result::setResult);
        return result;
    }

    @PostMapping("/deferred-error")
    DeferredResult<String> deferredError(@RequestBody Map<String, Object> body) {
        Effects.happen(String.valueOf(body.get("note")));
        DeferredResult<String> result = new DeferredResult<>();
        CompletableFuture.runAsync(() -> result.setErrorResult(new IllegalStateException("broke")), Effects.BACKGROUND);
        return result;
    }

    @PostMapping("/deferred-timeout")
    DeferredResult<String> deferredTimeout(@RequestBody Map<String, Object> body) {
        Effects.happen(String.valueOf(body.get("note")));
        return new DeferredResult<>(50L);
    }

    @PostMapping("/raw-async")
    void rawAsync(HttpServletRequest request, HttpServletResponse response, @RequestParam("note") String note) {
        AsyncContext context = request.startAsync();
        CompletableFuture.runAsync(
                () -> {
                    try {
                        String answer = afterGate(note);
                        context.getResponse().setContentType("text/plain");
                        context.getResponse().getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                        context.complete();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                Effects.BACKGROUND);
    }

    private static String afterGate(String note) {
        Effects.happen(note);
        try {
            Effects.passGate(note);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return note + " " + UUID.randomUUID() + " " + List.of("x".repeat(1000));
    }
}
