// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletException;
import java.lang.reflect.Constructor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalsTest {

    private static RuntimeException refusal(String type) throws Exception {
        Constructor<?> constructor =
                Class.forName("org.springframework.security." + type).getDeclaredConstructor(String.class);
        return (RuntimeException) constructor.newInstance("no");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "access.AccessDeniedException",
                "authorization.AuthorizationDeniedException",
                "authentication.BadCredentialsException",
            })
    void whatSpringSecurityThrowsIsARefusalHoweverItIsWrapped(String type) throws Exception {
        RuntimeException refusal = refusal(type);
        assertThat(Refusals.isRefusal(refusal)).isTrue();
        assertThat(Refusals.isRefusal(new ServletException(new IllegalStateException(refusal))))
                .isTrue();
    }

    @Test
    void anythingElseIsAFailure() {
        assertThat(Refusals.isRefusal(new IllegalStateException())).isFalse();
        assertThat(Refusals.isRefusal(new java.nio.file.AccessDeniedException("/x")))
                .isFalse();
        assertThat(Refusals.isRefusal(new ServletException(new SecurityException())))
                .isFalse();
    }

    @Test
    void causesThatGoRoundInACircleComeToAnEnd() {
        Exception first = new IllegalStateException();
        Exception second = new IllegalStateException(first);
        first.initCause(second);
        assertThat(Refusals.isRefusal(first)).isFalse();
    }
}
