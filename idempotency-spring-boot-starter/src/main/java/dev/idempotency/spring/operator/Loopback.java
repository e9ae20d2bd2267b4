// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.store.StoredResponse.Field;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** Sends parked requests to this very instance. May be used from any thread. */
public final class Loopback {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** The client writes its own. */
    private static final Set<String> NOT_SENT =
            Set.of("host", "content-length", "connection", "expect", "upgrade", "transfer-encoding", "accept-encoding");

    private final Supplier<URI> address;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /**
     * A way to this instance.
     *
     * @param address scheme, host and port, known once the application has started; throws {@link IllegalStateException} if it
     *     cannot be known
     */
    public Loopback(Supplier<URI> address) {
        this.address = address;
    }

    /**
     * Sends a request again.
     *
     * @return the status of the answer
     * @throws IOException if no answer came; the request may have been received
     * @throws IllegalArgumentException if the request cannot be put together
     */
    int send(RequestSnapshot original, String token, Duration timeout) throws IOException, InterruptedException {
        String query = original.query() == null ? "" : "?" + original.query();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.get() + original.target() + query))
                .timeout(timeout)
                .method(
                        original.method(),
                        BodyPublishers.ofByteArray(original.body().bytes()));
        for (Field field : original.fields()) {
            if (!NOT_SENT.contains(field.name().toLowerCase(Locale.ROOT))) {
                request.header(field.name(), field.value());
            }
        }
        request.setHeader(RedriveFilter.HEADER, token);
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
}
