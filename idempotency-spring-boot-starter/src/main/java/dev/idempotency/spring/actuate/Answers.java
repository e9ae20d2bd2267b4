// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import dev.idempotency.store.StoreUnavailableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.MimeType;

/** What endpoints answer: a body, or a problem as of RFC 9457. */
final class Answers {

    private static final Logger log = LoggerFactory.getLogger(Answers.class);
    private static final MimeType PROBLEM = MimeType.valueOf("application/problem+json");

    private Answers() {}

    static WebEndpointResponse<Object> ok(Object body) {
        return new WebEndpointResponse<>(body);
    }

    static WebEndpointResponse<Object> badRequest(String detail) {
        return problem(400, "Bad Request", detail);
    }

    static WebEndpointResponse<Object> notFound(String detail) {
        return problem(404, "Not Found", detail);
    }

    static WebEndpointResponse<Object> conflict(String detail, Map<String, ?> more) {
        Map<String, Object> body = body(409, "Conflict", detail);
        body.putAll(more);
        return new WebEndpointResponse<>(body, 409, PROBLEM);
    }

    private static WebEndpointResponse<Object> problem(int status, String title, String detail) {
        return new WebEndpointResponse<>(body(status, title, detail), status, PROBLEM);
    }

    private static Map<String, Object> body(int status, String title, String detail) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "about:blank");
        body.put("title", title);
        body.put("status", status);
        body.put("detail", detail);
        return body;
    }

    /**
     * A number out of a request. Spring's own conversion would answer a mistake without saying what it is.
     *
     * @throws IllegalArgumentException if it is none
     */
    static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("The " + name + " must be a number.", e);
        }
    }

    /** The same of at most 32 bits. */
    static int integer(String name, String text) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(number(name, text), Integer.MAX_VALUE));
    }

    /** The answer, or the problem that keeps it from being given. */
    static WebEndpointResponse<Object> of(Supplier<WebEndpointResponse<Object>> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            return badRequest(String.valueOf(e.getMessage()));
        } catch (StoreUnavailableException e) {
            log.warn("An operator's request could not be answered.", e);
            return problem(503, "Service Unavailable", "The store gave no answer; try again later.");
        }
    }
}
