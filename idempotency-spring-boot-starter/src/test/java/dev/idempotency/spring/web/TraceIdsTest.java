// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.mock.web.MockHttpServletRequest;

class TraceIdsTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void senderNamesTheTraceInTraceparent() {
        request.addHeader("traceparent", PARENT);
        assertThat(TraceIds.of(request)).isEqualTo(TRACE + "-00f067aa0ba902b7");
    }

    @Test
    void applicationsOwnTraceComesFirst() {
        request.addHeader("traceparent", PARENT);
        MDC.put("traceId", "own");
        assertThat(TraceIds.of(request)).isEqualTo("own");
        MDC.put("spanId", "own span");
        assertThat(TraceIds.of(request)).isEqualTo("own-own span");
        MDC.put("traceId", "");
        assertThat(TraceIds.of(request)).isEqualTo(TRACE + "-00f067aa0ba902b7");
    }

    @Test
    void laterVersionsMayBeLonger() {
        request.addHeader("traceparent", "01-" + TRACE + "-00f067aa0ba902b7-01-more");
        assertThat(TraceIds.of(request)).isEqualTo(TRACE + "-00f067aa0ba902b7");
    }

    @Test
    void withoutATraceThereIsNone() {
        assertThat(TraceIds.of(request)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-4bf92f3577b34da6a3ce929d0e0e4736",
                "00-4bf92f3577b34da6a3ce929d0e0e473\n-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
                "00-\uff14bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "0-4bf92f3577b34da6a3ce929d0e0e47360-00f067aa0ba902b7-01",
            })
    void whatIsNoTraceIdIsNotTakenForOne(String parent) {
        request.addHeader("traceparent", parent);
        assertThat(TraceIds.of(request)).isNull();
    }
}
