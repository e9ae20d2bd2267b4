// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonRedactor;
import dev.idempotency.json.MalformedJsonException;
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

    private final SnapshotRules rules;

    RequestSnapshots(SnapshotRules rules) {
        this.rules = rules;
    }

    RequestSnapshot of(BufferedRequest request) {
        List<Field> fields = new ArrayList<>();
        List<String> withheld = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            if (rules.keeps(name)) {
                Collections.list(request.getHeaders(name)).forEach(value -> fields.add(new Field(name, value)));
            } else if (rules.withholds(name)) {
                withheld.add(name);
            }
        }
        Body body = body(request);
        int size = body.content().size();
        boolean complete = size <= rules.maxBodyBytes() && !request.isMultipart();
        Principal principal = request.getUserPrincipal();
        return new RequestSnapshot(
                request.getMethod(),
                request.getRequestURI(),
                request.getQueryString(),
                fields,
                Payload.of(Arrays.copyOf(body.content().bytes(), Math.min(size, rules.maxBodyBytes()))),
                complete,
                principal == null ? null : principal.getName(),
                withheld,
                body.redacted());
    }

    /** A body, and the pointers of what was replaced in it: that of the whole if nothing of it may be kept. */
    private record Body(Payload content, List<String> redacted) {

        static final Body WITHHELD = new Body(Payload.EMPTY, List.of(""));
    }

    private Body body(BufferedRequest request) {
        byte[] body = request.body();
        JsonRedactor redactor = rules.redactor();
        boolean redacts = redactor != null || rules.withholdsBodies();
        if (!redacts || body.length == 0 || !request.isJson()) {
            return new Body(Payload.of(body), List.of());
        }
        if (redactor == null) {
            return Body.WITHHELD;
        }
        try {
            JsonRedactor.Redacted redacted = redactor.redact(body);
            return new Body(
                    redacted.json(),
                    redacted.replaced().stream().map(JsonPointer::text).toList());
        } catch (MalformedJsonException e) { // what cannot be looked through is not shown to anybody
            return Body.WITHHELD;
        }
    }
}
