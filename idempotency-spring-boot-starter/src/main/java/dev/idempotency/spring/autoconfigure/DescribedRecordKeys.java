// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.key.RecordKey;
import dev.idempotency.spring.actuate.IdempotencyRecordsEndpoint.Description;
import dev.idempotency.spring.actuate.IdempotencyRecordsEndpoint.RecordKeys;
import java.util.Comparator;
import org.springframework.http.server.PathContainer;

/** Record keys of described requests, made as those of real ones are. */
final class DescribedRecordKeys implements RecordKeys {

    private final EndpointRegistry endpoints;

    DescribedRecordKeys(EndpointRegistry endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    public RecordKey of(Description request) {
        PathContainer path = PathContainer.parsePath(request.path());
        EndpointDescription endpoint = endpoints.descriptions().stream()
                .filter(known -> known.takes(request.method()) && known.takes(path))
                .min(Comparator.comparing(known -> known.best(path)))
                .orElseThrow(() -> new IllegalArgumentException(
                        "No protected endpoint takes " + request.method() + " on that path."));
        if (endpoint.byExpression() && request.businessId() == null) {
            throw new IllegalArgumentException(
                    "The business id of this endpoint comes from an expression and must be given.");
        }
        return endpoint.endpoint()
                .identifier()
                .recordKeyOf(
                        request.method(),
                        path,
                        endpoints.isCaseSensitive(),
                        request.key(),
                        request.businessId(),
                        request.scope());
    }
}
