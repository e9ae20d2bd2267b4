// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import dev.idempotency.sample.DemoSwitch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends webhooks to the receivers in turn, and counts what they answer. May be called from any thread. */
final class Sender {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final List<URI> receivers;
    private final AtomicInteger deliveries = new AtomicInteger();
    private final AtomicInteger replayed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    Sender(List<URI> receivers) {
        this.receivers = List.copyOf(receivers);
    }

    /**
     * Delivers once.
     *
     * @param processing how long the handler is made to work
     * @return whether the receiver accepted it; never completes exceptionally
     */
    CompletableFuture<Boolean> deliver(String path, String key, String body, Duration processing) {
        URI receiver = receivers.get(deliveries.getAndIncrement() % receivers.size());
        HttpRequest request = HttpRequest.newBuilder(receiver.resolve(path))
                .header("Content-Type", "application/json")
                .header("X-Idempotency-Key", key)
                .header(DemoSwitch.DELAY, Long.toString(processing.toMillis()))
                .timeout(LIMIT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.sendAsync(request, BodyHandlers.discarding())
                .handle((response, failure) -> response != null && accepted(response));
    }

    private boolean accepted(HttpResponse<?> response) {
        if (response.headers().firstValue("Idempotent-Replayed").isPresent()) {
            replayed.incrementAndGet();
        }
        boolean accepted = response.statusCode() / 100 == 2;
        if (!accepted) {
            refused.incrementAndGet();
        }
        return accepted;
    }

    int deliveries() {
        return deliveries.get();
    }

    /** How many deliveries got the first answer again. */
    int replayed() {
        return replayed.get();
    }

    /** How many deliveries got an answer other than 2xx. */
    int refused() {
        return refused.get();
    }
}
