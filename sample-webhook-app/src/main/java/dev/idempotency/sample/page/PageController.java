// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.page;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.sample.Effects;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What the page at {@code /} asks for every second, and the payloads that its buttons send. */
@RestController
class PageController implements WebMvcConfigurer {

    private static final int MAX_LETTERS = 20;

    private final DeliveryLog log;
    private final Effects effects;
    private final ObjectProvider<DeadLetterQueue> deadLetters;

    PageController(DeliveryLog log, Effects effects, ObjectProvider<DeadLetterQueue> deadLetters) {
        this.log = log;
        this.effects = effects;
        this.deadLetters = deadLetters;
    }

    @GetMapping("/api/deliveries")
    Page page() {
        return new Page(log.counts(), effects.count(), effects.duplicates(), log.latest(), letters());
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/samples/**").addResourceLocations("classpath:/samples/");
    }

    private List<Letter> letters() {
        DeadLetterQueue queue = deadLetters.getIfAvailable();
        return queue == null
                ? List.of()
                : queue.list(LetterFilter.ALL, null, MAX_LETTERS).letters().stream()
                        .map(Letter::of)
                        .toList();
    }

    /**
     * All that the page shows.
     *
     * @param counts of every delivery since the start
     * @param duplicates how many of the effects should not be there
     */
    record Page(
            Map<Outcome, Long> counts,
            long effects,
            long duplicates,
            List<Delivery> deliveries,
            List<Letter> deadLetters) {}

    /** The part of a dead letter that anybody may see: neither headers nor body. */
    record Letter(String id, String recordKey, String reason, String state, long occurrences, Instant lastSeen) {

        static Letter of(DeadLetterSummary letter) {
            return new Letter(
                    letter.id(),
                    letter.key().toString(),
                    letter.reason().name(),
                    letter.state().name(),
                    letter.occurrences(),
                    letter.lastSeen());
        }
    }
}
