// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends requests to one instance. */
final class HttpTarget {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final int port;

    HttpTarget(int port) {
        this.port = port;
    }

    int port() {
        return port;
    }

    Call post(String path) {
        return new Call("POST", path);
    }

    Call call(String method, String path) {
        return new Call(method, path);
    }

    /** Sends bytes as they are, for requests that no client library would send; the whole answer as text. */
    String raw(String request) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends the beginning of a request and no more; the whole answer. */
    RawAnswer cutOff(String beginning) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new RawAnswer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A POST of some text, to be looked at as it comes back over the wire. */
    RawAnswer rawPost(String path, String key, String body, String... headerLines) {
        String lines = headerLines.length == 0 ? "" : String.join("\r\n", headerLines) + "\r\n";
        return new RawAnswer(raw("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "X-Idempotency-Key: " + key + "\r\nContent-Type: text/plain\r\n" + lines + "Content-Length: "
                + body.length() + "\r\n\r\n" + body));
    }

    /** One request being put together. */
    final class Call {

        private final String method;
        private final HttpRequest.Builder builder;
        private byte[] body = new byte[0];
        private boolean chunked;

        private Call(String method, String path) {
            this.method = method;
            this.builder = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                    .timeout(Duration.ofSeconds(60));
        }

        Call key(String key) {
            return header("X-Idempotency-Key", key);
        }

        Call as(String subject) {
            return header("Authorization", "Bearer " + subject + ".1");
        }

        Call header(String name, String value) {
            builder.header(name, value);
            return this;
        }

        Call script(String steps) {
            return header("X-Script", steps);
        }

        /** A JSON body that names the effect. */
        Call note(String note) {
            return json("{\"note\":\"" + note + "\"}");
        }

        Call json(String json) {
            return body("application/json", json.getBytes(StandardCharsets.UTF_8));
        }

        Call body(String contentType, byte[] bytes) {
            body = bytes;
            return header("Content-Type", contentType);
        }

        Call chunked() {
            chunked = true;
            return this;
        }

        private HttpRequest request() {
            HttpRequest.BodyPublisher publisher = BodyPublishers.ofByteArray(body);
            if (chunked) {
                publisher = BodyPublishers.fromPublisher(publisher);
            }
            return builder.method(method, publisher).build();
        }

        Answer send() {
            return sendLater().join();
        }

        CompletableFuture<Answer> sendLater() {
            return CLIENT.sendAsync(request(), BodyHandlers.ofByteArray()).thenApply(Answer::new);
        }

        /** Sends it and hangs up after the request has gone out; nothing is read. */
        CompletableFuture<HttpResponse<byte[]>> sendAndLeave() {
            return CLIENT.sendAsync(request(), BodyHandlers.ofByteArray());
        }
    }
}
