// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.server.ResponseStatusException;

/** Handlers that answer later, by Spring's means and by the container's. */
@RestController
@Idempotent(bizType = "async")
class AsyncController {

    @PostMapping("/task")
    WebAsyncTask<String> task(@RequestParam("note") String note) {
        return new WebAsyncTask<>(() -> afterGate(note));
    }

    @PostMapping("/task-timeout")
    WebAsyncTask<String> taskTimeout(@RequestParam("note") String note) {
        Effects.happen(note);
        // Joining is not interrupted by the time-out, which would race with the time-out's own answer.
        WebAsyncTask<String> task = new WebAsyncTask<>(
                50L,
                () -> CompletableFuture.supplyAsync(() -> passGate(note), Effects.BACKGROUND)
                        .join());
        task.onTimeout(() -> "timed out " + UUID.randomUUID());
        return task;
    }

    @PostMapping("/future-failed")
    CompletableFuture<String> futureFailed(@RequestParam("note") String note, @RequestParam("status") int status) {
        Effects.happen(note);
        return CompletableFuture.supplyAsync(
                () -> {
                    throw new ResponseStatusException(HttpStatus.valueOf(status), "no");
                },
                Effects.BACKGROUND);
    }

    @Idempotent(bizType = "short_lease")
    @PostMapping("/future-short-lease")
    CompletableFuture<String> futureShortLease(@RequestParam("note") String note) {
        return CompletableFuture.supplyAsync(() -> afterGate(note), Effects.BACKGROUND);
    }

    /** Waits for the test's gate, then answers. */
    @PostMapping("/raw/{kind}")
    void raw(
            @PathVariable("kind") String kind,
            @RequestParam("note") String note,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        if (request.getAttribute("answer") instanceof String answer) {
            write(response, answer);
            return;
        }
        AsyncContext context =
                kind.equals("two-arguments") ? request.startAsync(request, response) : request.startAsync();
        switch (kind) {
            case "complete", "two-arguments" ->
                CompletableFuture.runAsync(
                        () -> {
                            write(context.getResponse(), afterGate(note));
                            context.complete();
                        },
                        Effects.BACKGROUND);
            case "start" ->
                context.start(() -> {
                    write(context.getResponse(), afterGate(note));
                    context.complete();
                });
            case "dispatch" ->
                CompletableFuture.runAsync(
                        () -> {
                            request.setAttribute("answer", afterGate(note));
                            context.dispatch();
                        },
                        Effects.BACKGROUND);
            case "dispatch-elsewhere" ->
                CompletableFuture.runAsync(
                        () -> {
                            afterGate(note);
                            context.dispatch("/forward-target");
                        },
                        Effects.BACKGROUND);
            case "in-the-same-thread" -> {
                write(context.getResponse(), afterGate(note));
                context.complete();
            }
            case "listener" -> {
                Effects.happen(note);
                context.setTimeout(50);
                context.addListener(new CompletesOnTimeout());
            }
            default -> throw new IllegalArgumentException(kind);
        }
    }

    /** Ends in no answer of the handler's. */
    @PostMapping("/raw-broken/{kind}")
    void broken(@PathVariable("kind") String kind, @RequestParam("note") String note, HttpServletRequest request) {
        Effects.happen(note);
        AsyncContext context = request.startAsync();
        context.setTimeout(kind.equals("timeout") ? 50 : 30_000);
        switch (kind) {
            case "throw" -> throw new IllegalStateException("broke after startAsync");
            case "send-error" ->
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                ((HttpServletResponse) context.getResponse()).sendError(500, "no");
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                            context.complete();
                        },
                        Effects.BACKGROUND);
            default ->
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                Effects.passGate(note);
                                write(context.getResponse(), "too late");
                                context.complete();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } finally {
                                Effects.happen(note + " late");
                            }
                        },
                        Effects.BACKGROUND);
        }
    }

    private static final class CompletesOnTimeout implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) {
            AsyncContext context = event.getAsyncContext();
            write(context.getResponse(), "timed out " + UUID.randomUUID());
            context.complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private static void write(ServletResponse response, String text) {
        try {
            response.setContentType("text/plain");
            response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String afterGate(String note) {
        Effects.happen(note);
        return passGate(note);
    }

    private static String passGate(String note) {
        try {
            Effects.passGate(note);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return note + " " + UUID.randomUUID();
    }
}
