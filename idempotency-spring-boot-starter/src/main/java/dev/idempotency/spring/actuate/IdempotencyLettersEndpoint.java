// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.spring.operator.LetterDesk;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;

/**
 * Dead letters: list, show, export; and, where {@code management.endpoint.idempotencyletters.access} is
 * {@code unrestricted}, redrive and discard.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 knows optional parameters by Spring's own Nullable alone
@WebEndpoint(id = "idempotencyletters", defaultAccess = Access.READ_ONLY)
public final class IdempotencyLettersEndpoint {

    private static final String EXPORT = "export";
    private static final int DEFAULT_SIZE = 20;
    private static final MimeType JSON_LINES = MimeType.valueOf("application/x-ndjson");

    private final DeadLetterQueue queue;
    private final LetterDesk desk;

    public IdempotencyLettersEndpoint(DeadLetterQueue queue, LetterDesk desk) {
        this.queue = queue;
        this.desk = desk;
    }

    /**
     * A page of letters without what is inside, the one parked last first.
     *
     * @param from earliest time at which they were parked first, as of ISO 8601; {@code to} is the end, exclusive
     * @param start where the page begins: {@code next} of the page before
     * @param size most letters of the page, 1 to 100
     */
    @ReadOperation
    public WebEndpointResponse<Object> list(
            @org.springframework.lang.Nullable @Nullable String state,
            @org.springframework.lang.Nullable @Nullable String reason,
            @org.springframework.lang.Nullable @Nullable String bizType,
            @org.springframework.lang.Nullable @Nullable String from,
            @org.springframework.lang.Nullable @Nullable String to,
            @org.springframework.lang.Nullable @Nullable String start,
            @org.springframework.lang.Nullable @Nullable String size) {
        return Answers.of(() -> {
            LetterPage page = queue.list(
                    filter(state, reason, bizType, from, to),
                    start,
                    size == null ? DEFAULT_SIZE : Answers.integer("size", size));
            Map<String, Object> body = new LinkedHashMap<>();
            Map<String, Long> counts = new LinkedHashMap<>();
            queue.counts().forEach((counted, count) -> counts.put(LetterView.word(counted), count));
            body.put("counts", counts);
            body.put("letters", page.letters().stream().map(LetterView::summary).toList());
            if (page.next() != null) {
                body.put("next", page.next());
            }
            return Answers.ok(body);
        });
    }

    /** One letter with what is inside, or as {@code export} all that meet the filter, one JSON object a line. */
    @ReadOperation
    public WebEndpointResponse<Object> show(
            @Selector String id,
            @org.springframework.lang.Nullable @Nullable String state,
            @org.springframework.lang.Nullable @Nullable String reason,
            @org.springframework.lang.Nullable @Nullable String bizType,
            @org.springframework.lang.Nullable @Nullable String from,
            @org.springframework.lang.Nullable @Nullable String to) {
        return Answers.of(() -> {
            if (id.equals(EXPORT)) {
                return new WebEndpointResponse<>(
                        new LetterLines(queue, filter(state, reason, bizType, from, to)), 200, JSON_LINES);
            }
            DeadLetter letter = queue.find(id);
            return letter == null ? absent() : Answers.ok(LetterView.whole(letter));
        });
    }

    /**
     * Redrives or discards a letter.
     *
     * @param action {@code redrive} or {@code discard}
     * @param note why it is discarded
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(
            SecurityContext security,
            @Selector String id,
            @org.springframework.lang.Nullable @Nullable String action,
            @org.springframework.lang.Nullable @Nullable String note) {
        String operator = Operators.name(security);
        return Answers.of(() -> {
            if ("redrive".equals(action)) {
                return answer(desk.redrive(id, operator));
            }
            if ("discard".equals(action)) {
                return note == null || note.isBlank()
                        ? Answers.badRequest("A letter is discarded with a note that says why.")
                        : answer(desk.discard(id, operator, note));
            }
            return Answers.badRequest("The action must be redrive or discard.");
        });
    }

    private static WebEndpointResponse<Object> answer(LetterDesk.Answer answer) {
        if (answer instanceof LetterDesk.Answer.Done done) {
            Map<String, Object> body = LetterView.summary(done.letter());
            if (done.detail() != null) {
                body.put("detail", done.detail());
            }
            return Answers.ok(body);
        }
        if (answer instanceof LetterDesk.Answer.NotOpen notOpen) {
            return Answers.conflict("The letter is not open.", Map.of("letter", LetterView.summary(notOpen.letter())));
        }
        if (answer instanceof LetterDesk.Answer.Impossible impossible) {
            return Answers.conflict(
                    "The letter cannot be redriven: " + impossible.reason() + ".",
                    Map.of("letter", LetterView.summary(impossible.letter())));
        }
        return absent();
    }

    private static WebEndpointResponse<Object> absent() {
        return Answers.notFound("There is no such letter; it may have outlived its retention.");
    }

    private static LetterFilter filter(
            @Nullable String state,
            @Nullable String reason,
            @Nullable String bizType,
            @Nullable String from,
            @Nullable String to) {
        return new LetterFilter(
                constant(DeadLetterState.class, "state", state),
                constant(DeadLetterReason.class, "reason", reason),
                bizType,
                time("from", from),
                time("to", to));
    }

    private static <E extends Enum<E>> @Nullable E constant(Class<E> type, String name, @Nullable String word) {
        if (word == null) {
            return null;
        }
        String constant = word.toUpperCase(Locale.ROOT).replace('-', '_');
        return Stream.of(type.getEnumConstants())
                .filter(known -> known.name().equals(constant))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("The " + name + " must be one of "
                        + Stream.of(type.getEnumConstants())
                                .map(LetterView::word)
                                .collect(Collectors.joining(", "))
                        + "."));
    }

    private static @Nullable Instant time(String name, @Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("The " + name + " must be a time such as 2026-01-31T12:00:00Z.", e);
        }
    }
}
