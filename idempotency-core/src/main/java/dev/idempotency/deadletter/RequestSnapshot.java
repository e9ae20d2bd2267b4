// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request as it is parked: enough to understand it and, if nothing of it is missing, to send it again. Credentials are
 * never in it.
 *
 * @param method what was asked to be done (over HTTP: the method)
 * @param target of what (over HTTP: the path)
 * @param query further parameters of the target as they were sent, if any
 * @param fields header lines, without those that carry credentials
 * @param body the content; shortened if it was longer than the access layer keeps
 * @param bodyComplete whether {@code body} is all of it
 * @param principal who asked, if authenticated
 * @param withheldFields names of the header lines that were left out, as they were sent
 * @param redactedPointers JSON pointers of the values in the body that were replaced
 */
public record RequestSnapshot(
        String method,
        String target,
        @Nullable String query,
        List<Field> fields,
        Payload body,
        boolean bodyComplete,
        @Nullable String principal,
        List<String> withheldFields,
        List<String> redactedPointers) {

    public RequestSnapshot {
        fields = List.copyOf(fields);
        withheldFields = List.copyOf(withheldFields);
        redactedPointers = List.copyOf(redactedPointers);
    }

    /** A request of which nothing was left out or replaced. */
    public RequestSnapshot(
            String method,
            String target,
            @Nullable String query,
            List<Field> fields,
            Payload body,
            boolean bodyComplete,
            @Nullable String principal) {
        this(method, target, query, fields, body, bodyComplete, principal, List.of(), List.of());
    }

    /** Whether the body is there as it was sent: whole, and with nothing in it replaced. */
    public boolean isBodyOriginal() {
        return bodyComplete && redactedPointers.isEmpty();
    }
}
