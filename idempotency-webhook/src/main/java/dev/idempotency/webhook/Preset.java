// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A known sender: how it signs, how its events are told apart, and when it tries again.
 *
 * @param name in settings, such as {@code standard-webhooks}
 * @param signsUrl whether the address that the sender was told to send to is signed, and so must be known
 * @param scheme how the sender signs; takes that address, which is of no meaning unless it is signed
 * @param schedule when it tries again
 * @param changing JSON pointers of what differs between attempts to deliver one event
 * @param eventIds where the event's id is; the first place that has one counts
 */
public record Preset(
        String name,
        boolean signsUrl,
        Function<String, SignatureScheme> scheme,
        RetrySchedule schedule,
        List<String> changing,
        List<EventIdPlace> eventIds) {

    /** Whoever follows Standard Webhooks 1.0.0. */
    public static final Preset STANDARD_WEBHOOKS = preset(
            "standard-webhooks", SignatureSchemes.standardWebhooks(), RetrySchedule.STANDARD_WEBHOOKS, "webhook-id");

    /** Svix, and who sends through it, such as Resend. */
    public static final Preset SVIX = preset("svix", SignatureSchemes.svix(), RetrySchedule.SVIX, "svix-id");

    /** Stripe. An event counts the endpoints that have not answered yet, which differs between attempts. */
    public static final Preset STRIPE = preset("stripe", SignatureSchemes.stripe(), RetrySchedule.STRIPE, "/id")
            .differingIn("/pending_webhooks");

    /** GitHub. */
    public static final Preset GITHUB =
            preset("github", SignatureSchemes.github(), RetrySchedule.GITHUB, "X-GitHub-Delivery");

    /** Shopify; its X-Shopify-Webhook-Id is another one for each delivery. */
    public static final Preset SHOPIFY =
            preset("shopify", SignatureSchemes.shopify(), RetrySchedule.SHOPIFY, "X-Shopify-Event-Id");

    /** Square, which signs its notification URL as well; its test notifications have no id. */
    public static final Preset SQUARE = new Preset(
            "square", true, SignatureSchemes::square, RetrySchedule.SQUARE, List.of(), places("/event_id", "body"));

    /** Slack: events, slash commands by their trigger id, and its question whether the address is ours. */
    public static final Preset SLACK =
            preset("slack", SignatureSchemes.slack(), RetrySchedule.SLACK, "/event_id", "form:trigger_id", "body");

    private static final List<Preset> ALL = List.of(STANDARD_WEBHOOKS, SVIX, STRIPE, GITHUB, SHOPIFY, SQUARE, SLACK);

    public Preset {
        changing = List.copyOf(changing);
        eventIds = List.copyOf(eventIds);
    }

    private static Preset preset(String name, SignatureScheme scheme, RetrySchedule schedule, String... eventIds) {
        return new Preset(name, false, url -> scheme, schedule, List.of(), places(eventIds));
    }

    private static List<EventIdPlace> places(String... places) {
        return Stream.of(places).map(EventIdPlace::parse).toList();
    }

    private Preset differingIn(String... pointers) {
        return new Preset(name, signsUrl, scheme, schedule, List.of(pointers), eventIds);
    }

    /** Every preset there is. */
    public static List<Preset> all() {
        return ALL;
    }

    /** The preset of that name. */
    public static Optional<Preset> named(String name) {
        return ALL.stream().filter(preset -> preset.name().equals(name)).findAny();
    }
}
