// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request as it is parked: enough to understand it and to send it again. Credentials are never in it.
 *
 * @param method what was asked to be done (over HTTP: the method)
 * @param target of what (over HTTP: the path)
 * @param query further parameters of the target as they were sent, if any
 * @param fields header lines, without those that carry credentials
 * @param body the content; shortened if it was longer than the access layer keeps
 * @param bodyComplete whether {@code body} is all of it
 * @param principal who asked, if authenticated
 */
public record RequestSnapshot(
        String method,
        String target,
        @Nullable String query,
        List<Field> fields,
        Payload body,
        boolean bodyComplete,
        @Nullable String principal) {

    public RequestSnapshot {
        fields = List.copyOf(fields);
    }
}
