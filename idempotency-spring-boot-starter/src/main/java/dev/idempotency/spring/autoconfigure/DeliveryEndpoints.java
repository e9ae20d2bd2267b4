// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.web.ProtectedEndpoint;
import dev.idempotency.spring.web.ProtectedEndpoints.Deliveries;
import dev.idempotency.spring.webhook.WebhookSender;
import dev.idempotency.spring.webhook.WebhookSenders;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/** What endpoints are to webhooks: the annotated and routed ones on a sender's path, and for the rest one of the sender's own. */
final class DeliveryEndpoints {

    private final WebhookSenders senders;
    private final Map<String, WebhookProperties.Sender> settings;
    private final DeliveryRules rules;
    private final Set<PathPattern> taken = new HashSet<>();

    DeliveryEndpoints(WebhookSenders senders, Map<String, WebhookProperties.Sender> settings, DeliveryRules rules) {
        this.senders = senders;
        this.settings = settings;
        this.rules = rules;
    }

    /** One endpoint for the deliveries of each sender. */
    Map<String, ProtectedEndpoint> forEach(Function<WebhookSender, ProtectedEndpoint> endpoint) {
        Map<String, ProtectedEndpoint> bySender = new HashMap<>();
        senders.all().forEach(sender -> bySender.put(sender.name(), endpoint.apply(sender)));
        return bySender;
    }

    /** Checks the rules of an endpoint against the senders that send to it. */
    void reached(Collection<PathPattern> patterns, ProtectedEndpoint endpoint) {
        for (WebhookSender sender : senders.all()) {
            boolean reached = false;
            for (PathPattern path : sender.paths()) {
                for (PathPattern pattern : patterns) {
                    if (pattern.matches(asPath(path))) {
                        taken.add(path);
                        reached = true;
                    }
                    reached |= path.matches(asPath(pattern));
                }
            }
            ProtectedEndpoint delivery = endpoint.deliveries().get(sender.name());
            if (reached && delivery != null) {
                rules.check(sender, delivery.policy());
            }
        }
    }

    private static PathContainer asPath(PathPattern pattern) {
        return PathContainer.parsePath(pattern.getPatternString());
    }

    /** The senders' own endpoints, for what no other endpoint takes. */
    Deliveries others(EndpointOf endpoints) {
        Map<String, ProtectedEndpoint> own = forEach(sender -> endpoints.of(sender, bizType(sender)));
        for (WebhookSender sender : senders.all()) {
            ProtectedEndpoint endpoint = own.get(sender.name());
            if (endpoint != null && isWithoutEndpoint(sender)) {
                rules.check(sender, endpoint.policy());
            }
        }
        return new Deliveries(senders, own);
    }

    /** The senders some of whose paths no other endpoint takes, as far as is known. */
    List<WebhookSender> withoutEndpoint() {
        return senders.all().stream().filter(this::isWithoutEndpoint).toList();
    }

    private boolean isWithoutEndpoint(WebhookSender sender) {
        return !taken.containsAll(sender.paths());
    }

    /** Makes the endpoint of a sender's own. */
    @FunctionalInterface
    interface EndpointOf {
        ProtectedEndpoint of(WebhookSender sender, String bizType);
    }

    private String bizType(WebhookSender sender) {
        WebhookProperties.Sender said = settings.get(sender.name());
        return said == null || said.bizType() == null ? sender.name() : said.bizType();
    }
}
