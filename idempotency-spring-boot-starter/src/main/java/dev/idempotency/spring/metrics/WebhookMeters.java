// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.spring.hygiene.WeakKey;
import dev.idempotency.spring.hygiene.WeakKeyListener;
import dev.idempotency.spring.webhook.WebhookListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;

/** Counts deliveries and weak keys, and measures how well ttl and lease fit the senders. Every tag has a small set of values. */
public final class WebhookMeters implements WebhookListener, WeakKeyListener {

    private final MeterRegistry meters;

    public WebhookMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void arrived(String sender, String outcome) {
        count("idempotency.webhook.deliveries", Tags.of("sender", sender, "outcome", outcome));
    }

    @Override
    public void covered(String sender, String bizType, String of, double share) {
        meters.summary("idempotency.ttl.coverage", (Iterable<Tag>)
                        Tags.of("sender", sender, "biz.type", bizType, "of", of))
                .record(share);
    }

    @Override
    public void weakKey(String sender, WeakKey reason) {
        count("idempotency.weak.keys", Tags.of("sender", sender, "reason", reason.code()));
    }

    /** By the overload that every supported Micrometer has. */
    private void count(String name, Iterable<Tag> tags) {
        meters.counter(name, tags).increment();
    }
}
