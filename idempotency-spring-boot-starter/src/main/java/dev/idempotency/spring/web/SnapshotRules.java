// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonRedactor;
import dev.idempotency.json.JsonTokenizer;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What of a request may be kept in a dead letter.
 *
 * @param keyHeaders headers that the record key is made of, which are kept whatever they are called; in lower case
 * @param redactedHeaders further headers that are left out; in lower case
 * @param redactor replaces values of JSON bodies; {@code null} if none is to be replaced
 * @param withholdsBodies whether values are to be replaced but there is no JSON library to do so: no JSON body is kept then
 * @param maxBodyBytes most bytes of a body
 */
public record SnapshotRules(
        Set<String> keyHeaders,
        Set<String> redactedHeaders,
        @Nullable JsonRedactor redactor,
        boolean withholdsBodies,
        int maxBodyBytes) {

    /** Most bytes of a body unless told otherwise. */
    public static final int DEFAULT_MAX_BODY_BYTES = 64 * 1024;

    /** Leaves out credentials, and keeps {@value #DEFAULT_MAX_BODY_BYTES} bytes of a body. */
    public static final SnapshotRules DEFAULTS =
            new SnapshotRules(Set.of(), Set.of(), null, false, DEFAULT_MAX_BODY_BYTES);

    /** Rules as they are configured. */
    public static SnapshotRules of(
            Collection<String> keyHeaders,
            Collection<String> redactedHeaders,
            List<JsonPointer> redactedPointers,
            @Nullable JsonTokenizer tokenizer,
            int maxBodyBytes) {
        boolean redacts = !redactedPointers.isEmpty();
        return new SnapshotRules(
                lower(keyHeaders),
                lower(redactedHeaders),
                redacts && tokenizer != null ? new JsonRedactor(tokenizer, redactedPointers) : null,
                redacts && tokenizer == null,
                maxBodyBytes);
    }

    private static Set<String> lower(Collection<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a header line is kept; what belongs to one connection or exchange never is. */
    boolean keeps(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !redactedHeaders.contains(lower) && (keyHeaders.contains(lower) || HeaderPolicy.isParked(name));
    }

    /** Whether a header line that is not kept is one that the application may miss. */
    boolean withholds(String name) {
        return redactedHeaders.contains(name.toLowerCase(Locale.ROOT)) || HeaderPolicy.isSecret(name);
    }
}
