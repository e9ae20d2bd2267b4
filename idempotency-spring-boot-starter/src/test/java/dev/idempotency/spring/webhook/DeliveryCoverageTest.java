// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.Operation;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.spring.metrics.WebhookMeters;
import dev.idempotency.webhook.Acknowledgement;
import dev.idempotency.webhook.RetrySchedule;
import dev.idempotency.webhook.SignatureSchemes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class DeliveryCoverageTest {

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final DeliveryCoverage coverage = new DeliveryCoverage(new WebhookMeters(meters));

    private void watch(RetrySchedule schedule) {
        WebhookSender sender = new WebhookSender(
                "acme",
                List.of(),
                SignatureSchemes.github(),
                List::of,
                List.of(),
                List.of(),
                schedule,
                Acknowledgement.USUAL);
        coverage.watch(sender, schedule, IdempotencyPolicy.defaults("payment"));
    }

    private void ended(String bizType, Duration duration) {
        RecordKey key = RecordKey.builder(bizType).part("x", "y").build();
        coverage.ended(new Operation(key, "http", null), AttemptEnd.SUCCEEDED, duration);
    }

    private double mean(String of) {
        return meters.get("idempotency.ttl.coverage")
                .tags("sender", "acme", "biz.type", "payment", "of", of)
                .summary()
                .mean();
    }

    @Test
    void processingTimeIsComparedWithTheNextRetryAndTheLease(CapturedOutput output) {
        watch(RetrySchedule.of(Duration.ofSeconds(10), Duration.ofDays(2)));
        ended("payment", Duration.ofSeconds(6));

        assertThat(mean("next-retry")).isEqualTo(0.6);
        assertThat(mean("lease")).isEqualTo(0.1);
        assertThat(mean("window")).isBetween(0.49, 0.51);
        assertThat(output).doesNotContain("tries again after");
    }

    @Test
    void whatComesCloseToTheNextRetryIsLoggedOnceAMinute(CapturedOutput output) {
        watch(RetrySchedule.of(Duration.ofSeconds(10)));
        for (int i = 0; i < 5; i++) {
            ended("payment", Duration.ofSeconds(8));
        }
        assertThat(output).containsOnlyOnce("An event of acme took PT8S, and its sender tries again after PT10S");
    }

    @Test
    void othersAndSendersWithoutAKnownRetryAreLeftAlone(CapturedOutput output) {
        watch(RetrySchedule.STRIPE);
        ended("payment", Duration.ofHours(1));
        ended("other", Duration.ofHours(1));

        assertThat(meters.find("idempotency.ttl.coverage")
                        .tag("of", "next-retry")
                        .summaries())
                .isEmpty();
        assertThat(meters.find("idempotency.ttl.coverage").summaries()).hasSize(2);
        assertThat(output).doesNotContain("tries again after");
    }
}
