// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan;
import dev.idempotency.json.JsonScan.Value;
import dev.idempotency.json.MalformedJsonException;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.Sha256;
import dev.idempotency.policy.IdempotencyLevel;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Digests an HTTP request by what it means: method, path, query, and the body according to its kind. JSON counts by its
 * values ({@link JsonScan}), forms by their parameters, multipart by its parts whatever their boundary, the rest by its
 * bytes. Headers other than the content type do not count.
 */
final class HttpFingerprint {

    private static final Logger log = LoggerFactory.getLogger(HttpFingerprint.class);

    private final IdempotencyLevel level;
    private final @Nullable JsonScan scan;
    private final boolean canonicalJson;
    private final int algorithm;

    /**
     * @param scan reads JSON bodies; {@code null} if no JSON library is there
     * @param canonicalJson whether JSON counts by its values, not by its bytes
     * @param ignored what {@code scan} leaves out
     */
    HttpFingerprint(IdempotencyLevel level, @Nullable JsonScan scan, boolean canonicalJson, List<JsonPointer> ignored) {
        this.level = level;
        this.scan = scan;
        this.canonicalJson = canonicalJson && scan != null;
        this.algorithm = algorithm(level, this.canonicalJson, ignored);
    }

    private static int algorithm(IdempotencyLevel level, boolean canonicalJson, List<JsonPointer> ignored) {
        String settings =
                "http-1 " + level + (canonicalJson ? " canonical " : " raw ") + (canonicalJson ? ignored : List.of());
        byte[] digest = Sha256.newDigest().digest(settings.getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(digest).getInt();
    }

    /**
     * @param fingerprint what the request means
     * @param picked what the scan picked out of a JSON body
     */
    record Result(Fingerprint fingerprint, Map<JsonPointer, List<Value>> picked) {}

    Result of(BufferedRequest request, String path) throws IOException, InvalidRequestException {
        MessageDigest digest = Sha256.newDigest();
        text(digest, request.getMethod());
        text(digest, path);
        Map<JsonPointer, List<Value>> picked = Map.of();
        if (level == IdempotencyLevel.FULL_REQUEST) {
            text(digest, request.getQueryString());
            text(digest, request.mediaType());
            picked = body(digest, request);
        } else if (MediaTypes.isJson(request.mediaType())) {
            picked = orEmpty(json(Sha256.newDigest(), request.body()));
        }
        return new Result(Fingerprint.of(algorithm, digest.digest()), picked);
    }

    private Map<JsonPointer, List<Value>> body(MessageDigest digest, BufferedRequest request)
            throws IOException, InvalidRequestException {
        if (request.isMultipart()) {
            parts(digest, request);
            return Map.of();
        }
        if (MediaTypes.isForm(request.mediaType())) {
            boolean exact = request.hasFormBody() && FormParameters.isExact(request.body());
            for (Map.Entry<String, String[]> parameter :
                    request.getParameterMap().entrySet()) {
                text(digest, parameter.getKey());
                exact &= isExact(parameter.getKey());
                Sha256.updateInt(digest, parameter.getValue().length);
                for (String value : parameter.getValue()) {
                    text(digest, value);
                    exact &= isExact(value);
                }
            }
            if (!exact) {
                digest.update(request.body());
            }
            return Map.of();
        }
        if (!MediaTypes.isJson(request.mediaType())) {
            digest.update(request.body());
            return Map.of();
        }
        MessageDigest meaning = Sha256.newDigest();
        Map<JsonPointer, List<Value>> picked = json(meaning, request.body());
        boolean byValues = canonicalJson && picked != null;
        digest.update((byte) (byValues ? 'v' : 'b'));
        digest.update(byValues ? meaning.digest() : request.body());
        return orEmpty(picked);
    }

    /** Whether the text holds no stand-in for bytes that are none in their charset. */
    private static boolean isExact(String decoded) {
        return decoded.indexOf('\uFFFD') < 0;
    }

    /** What the scan picked out; {@code null} if the body is not JSON after all. */
    private @Nullable Map<JsonPointer, List<Value>> json(MessageDigest digest, byte[] body) {
        if (scan == null) {
            return null;
        }
        try {
            return scan.scan(body, digest);
        } catch (MalformedJsonException e) {
            log.debug("A body declared as JSON counts by its bytes.", e);
            return null;
        }
    }

    private static Map<JsonPointer, List<Value>> orEmpty(@Nullable Map<JsonPointer, List<Value>> picked) {
        return picked == null ? Map.of() : picked;
    }

    private static void parts(MessageDigest digest, BufferedRequest request)
            throws IOException, InvalidRequestException {
        long size = 0;
        try {
            for (Part part : request.getParts()) {
                text(digest, part.getName());
                text(digest, part.getSubmittedFileName());
                text(digest, part.getContentType());
                text(digest, Long.toString(part.getSize()));
                content(digest, part);
                size += part.getSize();
                request.requireWithinBound(size);
            }
        } catch (ServletException | IllegalStateException e) {
            // The handler meets the same trouble and answers it.
            log.debug("A multipart body cannot be read; the request counts without it.", e);
            text(digest, null);
        }
    }

    private static void content(MessageDigest digest, Part part) throws IOException {
        byte[] buffer = new byte[8192];
        try (InputStream in = part.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
    }

    private static void text(MessageDigest digest, @Nullable String text) {
        if (text == null) {
            Sha256.updateInt(digest, -1);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Sha256.updateInt(digest, bytes.length);
        digest.update(bytes);
    }
}
