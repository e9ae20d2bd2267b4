// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.util.Locale;
import java.util.Set;

/** Which header lines may be kept: in records, and in dead letters. */
final class HeaderPolicy {

    /** Of one connection, one client or one exchange; the container writes its own each time. */
    private static final Set<String> NEVER_STORED = Set.of(
            // Hop by hop and framing (RFC 9110, section 7.6.1; RFC 9112)
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "content-length",
            // Credentials and challenges
            "set-cookie",
            "set-cookie2",
            "authorization",
            "proxy-authorization",
            "proxy-authenticate",
            "proxy-authentication-info",
            "www-authenticate",
            "authentication-info",
            // Of this exchange
            "date",
            "server",
            "server-timing",
            "via",
            "traceparent",
            "tracestate",
            "b3",
            "x-request-id",
            "x-correlation-id",
            "x-trace-id",
            "x-span-id",
            "ratelimit",
            "ratelimit-policy");

    private static final Set<String> NEVER_STORED_PREFIXES =
            Set.of("access-control-", "x-b3-", "ratelimit-", "x-ratelimit-", "x-rate-limit-");

    private static final Set<String> SECRET_WORDS = Set.of(
            "auth",
            "cookie",
            "token",
            "secret",
            "credential",
            "password",
            "passwd",
            "session",
            "jwt",
            "api-key",
            "apikey",
            "access-key",
            "subscription-key",
            "functions-key",
            "signature",
            "hmac");

    private HeaderPolicy() {}

    /** Whether a response header belongs to the answer rather than to the exchange. */
    static boolean isStored(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !NEVER_STORED.contains(lower) && NEVER_STORED_PREFIXES.stream().noneMatch(lower::startsWith);
    }

    /** Whether a request header may be seen by a person who inspects a dead letter. */
    static boolean isParked(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !NEVER_STORED.contains(lower) && !isSecret(name);
    }

    /** Whether a header's name says that its value is one that nobody may see. */
    static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return SECRET_WORDS.stream().anyMatch(lower::contains);
    }
}
