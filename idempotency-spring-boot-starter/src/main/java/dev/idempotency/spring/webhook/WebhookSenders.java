// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.springframework.http.server.PathContainer;

/** All senders of webhooks that the application knows. May be used from any thread. */
public final class WebhookSenders {

    private final List<WebhookSender> senders;

    /** Senders, those with the more specific paths first. */
    public WebhookSenders(List<WebhookSender> senders) {
        this.senders = List.copyOf(senders);
    }

    public List<WebhookSender> all() {
        return senders;
    }

    /** The same senders, verified without a look at which event it is. */
    public WebhookSenders withoutEventIds() {
        return new WebhookSenders(
                senders.stream().map(WebhookSender::withoutEventIds).toList());
    }

    /** Whose path a request has come to, whatever its method and however the path is spelled. */
    Optional<WebhookSender> of(HttpServletRequest request) {
        if (senders.isEmpty()) {
            return Optional.empty();
        }
        List<PathContainer> paths = DeliveryPaths.of(request);
        return senders.stream()
                .filter(sender -> paths.stream().anyMatch(sender::sendsTo))
                .findFirst();
    }

    /** Whether a request has come to a sender's path and nobody has verified yet that it is from that sender. */
    public boolean isUnverified(HttpServletRequest request) {
        return of(request).filter(sender -> !isVerified(request, sender)).isPresent();
    }

    static boolean isVerified(HttpServletRequest request, WebhookSender sender) {
        VerifiedDelivery delivery = VerifiedDelivery.of(request);
        return delivery != null && delivery.sender().equals(sender.name());
    }
}
