// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.key.RecordKey;
import dev.idempotency.spring.actuate.IdempotencyRecordsEndpoint.Description;
import dev.idempotency.spring.actuate.IdempotencyRecordsEndpoint.RecordKeys;
import dev.idempotency.spring.web.ProtectedEndpoint;
import dev.idempotency.spring.webhook.WebhookSenders;
import java.util.Comparator;
import org.springframework.http.server.PathContainer;

/** Record keys of described requests, made as those of real ones are. */
final class DescribedRecordKeys implements RecordKeys {

    private final EndpointRegistry endpoints;
    private final WebhookSenders senders;

    DescribedRecordKeys(EndpointRegistry endpoints, WebhookSenders senders) {
        this.endpoints = endpoints;
        this.senders = senders;
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
        return forSender(endpoint.endpoint(), path)
                .identifier()
                .recordKeyOf(
                        request.method(),
                        path,
                        endpoints.isCaseSensitive(),
                        request.key(),
                        request.businessId(),
                        request.scope());
    }

    /** What has come to a sender's path was a delivery of that sender, or did not reach the endpoint. */
    private ProtectedEndpoint forSender(ProtectedEndpoint endpoint, PathContainer path) {
        return senders.all().stream()
                .filter(sender -> sender.sendsTo(path))
                .findFirst()
                .map(sender -> endpoint.deliveries().get(sender.name()))
                .orElse(endpoint);
    }
}
