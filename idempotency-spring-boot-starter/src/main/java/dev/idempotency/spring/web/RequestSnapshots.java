// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.spring.identity.BufferedRequest;
import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse.Field;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Copies what a person needs to know of a request, without its credentials. */
final class RequestSnapshots {

    /** Most bytes of a body that a dead letter keeps. */
    private static final int MAX_BODY_BYTES = 64 * 1024;

    private RequestSnapshots() {}

    static RequestSnapshot of(BufferedRequest request) {
        List<Field> fields = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            if (HeaderPolicy.isParked(name)) {
                Collections.list(request.getHeaders(name)).forEach(value -> fields.add(new Field(name, value)));
            }
        }
        byte[] body = request.body();
        boolean complete = body.length <= MAX_BODY_BYTES && !request.isMultipart();
        Principal principal = request.getUserPrincipal();
        return new RequestSnapshot(
                request.getMethod(),
                request.getRequestURI(),
                request.getQueryString(),
                fields,
                Payload.of(complete ? body : Arrays.copyOf(body, Math.min(body.length, MAX_BODY_BYTES))),
                complete,
                principal == null ? null : principal.getName());
    }
}
