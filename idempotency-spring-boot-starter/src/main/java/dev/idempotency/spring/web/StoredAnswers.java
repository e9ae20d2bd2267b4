// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import dev.idempotency.webhook.Acknowledgement;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Gives a stored answer again. */
final class StoredAnswers {

    private final String mark;

    /**
     * @param mark name of the header that says so
     */
    StoredAnswers(String mark) {
        this.mark = mark;
    }

    /** Whether a response of this status has content (RFC 9110, section 6.4.1). */
    static boolean hasBody(int status) {
        return status >= 200 && status != 204 && status != 205 && status != 304;
    }

    void replay(StoredResponse stored, HttpServletResponse response) throws IOException {
        response.setStatus(stored.status());
        Set<String> seen = new HashSet<>();
        for (Field field : stored.fields()) {
            write(field, seen.add(field.name().toLowerCase(Locale.ROOT)), response);
        }
        response.setHeader(mark, "true");
        CorsGate.expose(mark, response);
        if (hasBody(stored.status())) {
            response.setContentLength(stored.body().size());
        }
        if (stored.body().size() > 0) {
            response.getOutputStream().write(stored.body().bytes());
        }
    }

    /** Tells the sender of a webhook that the event is done, where the first answer is not there to be given again. */
    void acknowledge(Acknowledgement acknowledgement, HttpServletResponse response) throws IOException {
        byte[] body = acknowledgement.body().getBytes(StandardCharsets.UTF_8);
        response.setStatus(HttpServletResponse.SC_OK);
        response.setHeader(mark, "true");
        if (body.length > 0) {
            response.setContentType(acknowledgement.contentType());
        }
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static void write(Field field, boolean first, HttpServletResponse response) {
        if (field.name().equalsIgnoreCase("Content-Type")) {
            response.setContentType(field.value());
        } else if (field.name().equalsIgnoreCase("Vary")) {
            // Of the stored answer and of this exchange: CORS may have added some of it already.
            if (!response.getHeaders("Vary").contains(field.value())) {
                response.addHeader("Vary", field.value());
            }
        } else if (first) {
            response.setHeader(field.name(), field.value());
        } else {
            response.addHeader(field.name(), field.value());
        }
    }
}
