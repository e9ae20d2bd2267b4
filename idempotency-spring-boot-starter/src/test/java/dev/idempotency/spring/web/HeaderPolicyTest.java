// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.store.StoredResponse.Field;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderPolicyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection",
                "Keep-Alive",
                "TE",
                "Trailer",
                "Transfer-Encoding",
                "Upgrade",
                "Content-Length",
                "Set-Cookie",
                "WWW-Authenticate",
                "Proxy-Authenticate",
                "Date",
                "Server",
                "Server-Timing",
                "traceparent",
                "X-B3-TraceId",
                "X-Request-Id",
                "RateLimit",
                "RateLimit-Remaining",
                "X-RateLimit-Reset",
                "Access-Control-Allow-Origin",
                "Access-Control-Expose-Headers",
            })
    void headersOfOneExchangeAreNotStoredInAnyCase(String name) {
        assertThat(HeaderPolicy.isStored(name)).isFalse();
        assertThat(HeaderPolicy.isStored(name.toUpperCase(Locale.ROOT))).isFalse();
        assertThat(HeaderPolicy.isStored(name.toLowerCase(Locale.ROOT))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Location",
                "ETag",
                "Content-Type",
                "Content-Language",
                "Content-Disposition",
                "Last-Modified",
                "Link",
                "Vary",
                "Cache-Control",
                "Retry-After",
                "X-Total",
                "Dated",
                "Access",
            })
    void headersOfTheAnswerAreStored(String name) {
        assertThat(HeaderPolicy.isStored(name)).isTrue();
    }

    @Test
    void namesAreComparedWithoutRegardToTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(HeaderPolicy.isStored("SET-COOKIE")).isFalse();
            assertThat(HeaderPolicy.isStored("TRAILER")).isFalse();
            assertThat(HeaderPolicy.isParked("AUTHORIZATION")).isFalse();
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "Proxy-Authorization",
                "Cookie",
                "X-Auth-Token",
                "X-Auth",
                "X-CSRF-TOKEN",
                "X-Api-Key",
                "apikey",
                "Client-Secret",
                "X-Password",
                "X-Passwd",
                "X-Credential",
                "X-Hub-Signature-256",
                "Webhook-Signature",
                "X-Shopify-Hmac-Sha256",
                "X-Amz-Security-Token",
                "Ocp-Apim-Subscription-Key",
                "x-functions-key",
                "X-Access-Key",
                "X-Session-Id",
                "X-Jwt-Assertion",
                "Transfer-Encoding",
            })
    void credentialsAreNotParked(String name) {
        assertThat(HeaderPolicy.isParked(name)).isFalse();
        assertThat(HeaderPolicy.isParked(name.toUpperCase(Locale.ROOT))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"X-Idempotency-Key", "Idempotency-Key", "Content-Type", "User-Agent", "X-Forwarded-For", "Accept"
            })
    void whatAPersonNeedsIsParked(String name) {
        assertThat(HeaderPolicy.isParked(name)).isTrue();
    }

    @Test
    void recordedLinesKeepTheirOrderWithinAName() {
        RecordedHeaders headers = new RecordedHeaders();
        headers.add("Vary", "a");
        headers.set("X", "1");
        headers.add("vary", "b");
        headers.add("Date", "now");
        headers.set("Set-Cookie", "a=b");
        assertThat(headers.fields())
                .containsExactly(new Field("Vary", "a"), new Field("vary", "b"), new Field("X", "1"));
        headers.set("VARY", "c");
        headers.add("Vary", "d");
        headers.remove("X");
        assertThat(headers.fields()).containsExactly(new Field("VARY", "c"), new Field("Vary", "d"));
        headers.clear();
        assertThat(headers.fields()).isEmpty();
    }
}
