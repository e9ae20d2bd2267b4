// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.page;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.sample.Effects;
import dev.idempotency.spring.operator.LetterDesk;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
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
    private final ObjectProvider<LetterDesk> desk;

    PageController(
            DeliveryLog log,
            Effects effects,
            ObjectProvider<DeadLetterQueue> deadLetters,
            ObjectProvider<LetterDesk> desk) {
        this.log = log;
        this.effects = effects;
        this.deadLetters = deadLetters;
        this.desk = desk;
    }

    @GetMapping("/api/deliveries")
    Page page() {
        return new Page(log.counts(), effects.count(), effects.duplicates(), log.latest(), letters());
    }

    /** Only a demonstration leaves this to everybody; operators have the actuator's endpoint. */
    @PostMapping("/api/letters/{id}/redrive")
    ResponseEntity<Redriven> redrive(@PathVariable String id) {
        LetterDesk.Answer answer = desk.getObject().redrive(id, "page");
        if (answer instanceof LetterDesk.Answer.Done done) {
            return ResponseEntity.ok(new Redriven(Letter.of(done.letter()), done.detail()));
        }
        if (answer instanceof LetterDesk.Answer.Impossible impossible) {
            return ResponseEntity.status(HttpStatus.CONFLICT)
                    .body(new Redriven(Letter.of(impossible.letter()), impossible.reason()));
        }
        if (answer instanceof LetterDesk.Answer.NotOpen notOpen) {
            return ResponseEntity.status(HttpStatus.CONFLICT)
                    .body(new Redriven(Letter.of(notOpen.letter()), "the letter is not open"));
        }
        return ResponseEntity.notFound().build();
    }

    /** What came of a redrive. */
    record Redriven(Letter letter, @Nullable String detail) {}

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
    record Letter(
            String id,
            String recordKey,
            String reason,
            String state,
            @Nullable String outcome,
            long occurrences,
            Instant lastSeen) {

        static Letter of(DeadLetterSummary letter) {
            RedriveOutcome outcome = letter.handling().outcome();
            return new Letter(
                    letter.id(),
                    letter.key().toString(),
                    letter.reason().name(),
                    letter.state().name(),
                    outcome == null ? null : outcome.result().name() + " " + outcome.status(),
                    letter.occurrences(),
                    letter.lastSeen());
        }
    }
}
