// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.webhook.Acknowledgement;
import dev.idempotency.webhook.EventIdPlace;
import dev.idempotency.webhook.RetrySchedule;
import dev.idempotency.webhook.Secret;
import dev.idempotency.webhook.SignatureScheme;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Somebody who sends webhooks.
 *
 * @param name what it is called in settings, meters and record keys
 * @param paths where it sends to, within the web application, whatever their case
 * @param scheme how it signs
 * @param secrets those that are valid at the moment
 * @param eventIds where its events' ids are; none if they are not to be keys
 * @param changing what differs between its attempts to deliver an event
 * @param schedule when it tries again; {@code null} if nobody knows
 * @param acknowledgement what it wants to hear of a repeat
 */
public record WebhookSender(
        String name,
        List<PathPattern> paths,
        SignatureScheme scheme,
        Supplier<Collection<Secret>> secrets,
        List<EventIdPlace> eventIds,
        List<JsonPointer> changing,
        @Nullable RetrySchedule schedule,
        Acknowledgement acknowledgement) {

    public WebhookSender {
        paths = List.copyOf(paths);
        eventIds = List.copyOf(eventIds);
        changing = List.copyOf(changing);
    }

    WebhookSender withoutEventIds() {
        return new WebhookSender(name, paths, scheme, secrets, List.of(), changing, schedule, acknowledgement);
    }

    /** Whether one of its paths is that one. */
    public boolean sendsTo(PathContainer path) {
        return paths.stream().anyMatch(pattern -> pattern.matches(path));
    }
}
