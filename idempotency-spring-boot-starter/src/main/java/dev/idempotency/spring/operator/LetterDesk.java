// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.UnreadableContentException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where operators redrive and discard dead letters; every try is audited. Redriving sends the parked request through this
 * instance's own filter chain and waits for its answer. May be used from any thread and any instance.
 */
public final class LetterDesk {

    private static final Logger log = LoggerFactory.getLogger(LetterDesk.class);

    /** How much longer than the redrive's time-out a letter is held, so that the outcome can be written down. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    private final DeadLetterQueue queue;
    private final RedriveTickets tickets;
    private final Loopback loopback;
    private final AuditTrail audit;
    private final Duration timeout;

    /**
     * A desk.
     *
     * @param timeout how long a redriven request may take, positive
     */
    public LetterDesk(
            DeadLetterQueue queue, RedriveTickets tickets, Loopback loopback, AuditTrail audit, Duration timeout) {
        this.queue = queue;
        this.tickets = tickets;
        this.loopback = loopback;
        this.audit = audit;
        this.timeout = timeout;
    }

    /** What came of a wish. */
    public sealed interface Answer {

        /**
         * It was done.
         *
         * @param letter how it stands now
         * @param detail why a redrive ran nothing, if it did not and that is known
         */
        record Done(DeadLetterSummary letter, @Nullable String detail) implements Answer {}

        /** The letter is not open; nothing was done. */
        record NotOpen(DeadLetterSummary letter) implements Answer {}

        /** The letter cannot be redriven, which trying again would not change; nothing was done. */
        record Impossible(DeadLetterSummary letter, String reason) implements Answer {}

        /** There is no such letter. */
        record Absent() implements Answer {}
    }

    /**
     * Sends a letter's request again, at most once per letter.
     *
     * @throws StoreUnavailableException if the queue gave no answer; a redrive that was started is written down, or the
     *     letter is open again after its lease
     */
    public Answer redrive(String id, String operator) {
        DeadLetter letter = queue.find(id);
        if (letter == null) {
            return new Answer.Absent();
        }
        DeadLetterContent content;
        try {
            content = letter.open();
            requireSendable(content);
        } catch (UnreadableContentException e) {
            log.warn("Dead letter {} cannot be read.", id, e);
            return audited("letter.redrive", operator, impossible(letter, "its content cannot be read"));
        } catch (RedriveRefusedException e) {
            return audited("letter.redrive", operator, impossible(letter, String.valueOf(e.getMessage())));
        }
        OwnerToken owner = OwnerToken.random();
        LetterChange started = queue.startRedrive(id, owner, timeout.plus(MARGIN), operator);
        if (!(started instanceof LetterChange.Changed)) {
            return audited("letter.redrive", operator, answer(started, null));
        }
        RedriveTicket ticket = new RedriveTicket(letter.summary(), content);
        RedriveOutcome outcome = send(id, ticket);
        return audited("letter.redrive", operator, answer(end(id, owner, outcome), ticket.detail()));
    }

    private static Answer impossible(DeadLetter letter, String reason) {
        return letter.summary().state() == DeadLetterState.OPEN
                ? new Answer.Impossible(letter.summary(), reason)
                : new Answer.NotOpen(letter.summary());
    }

    private static void requireSendable(DeadLetterContent content) throws RedriveRefusedException {
        RequestSnapshot request = content.request();
        if (!content.transport().equals("http")) {
            throw new RedriveRefusedException("it was no HTTP request but a call of a method", null);
        }
        if (!request.redactedPointers().isEmpty()) {
            throw new RedriveRefusedException(
                    "values of its body were redacted when it was parked ("
                            + String.join(", ", request.redactedPointers())
                            + "), and a changed body must not be sent as if it were the original",
                    null);
        }
        if (!request.bodyComplete()) {
            throw new RedriveRefusedException("its body was too long, or multipart, and was not kept whole", null);
        }
    }

    private RedriveOutcome send(String id, RedriveTicket ticket) {
        String token = tickets.issue(ticket, timeout);
        try {
            int status = loopback.send(ticket.original(), token, timeout);
            ticket.cancel();
            return new RedriveOutcome(ticket.result(), status);
        } catch (IOException | IllegalStateException e) {
            log.warn("The redrive of dead letter {} brought no answer.", id, e);
        } catch (IllegalArgumentException e) { // whose message holds what it complains of
            log.warn("The request of dead letter {} cannot be put together again.", id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            tickets.revoke(token);
        }
        if (ticket.cancel()) {
            ticket.refuse(Result.NOT_SENT, "the instance could not be reached, or did not get to the endpoint in time");
            return new RedriveOutcome(Result.NOT_SENT, 0);
        }
        return new RedriveOutcome(ticket.result() == Result.RAN ? Result.NO_ANSWER : ticket.result(), 0);
    }

    private LetterChange end(String id, OwnerToken owner, RedriveOutcome outcome) {
        try {
            return queue.endRedrive(id, owner, outcome);
        } catch (StoreUnavailableException e) {
            log.warn("The outcome of the redrive of {} is written down at a second try.", id, e);
            return queue.endRedrive(id, owner, outcome);
        }
    }

    /**
     * Writes down that nothing is to be done about a letter.
     *
     * @param note why; at most 1000 characters
     * @throws IllegalArgumentException if the note or the operator's name is too long
     * @throws StoreUnavailableException if the queue gave no answer
     */
    public Answer discard(String id, String operator, String note) {
        return audited("letter.discard", operator, answer(queue.discard(id, operator, note), null));
    }

    private static Answer answer(LetterChange change, @Nullable String detail) {
        if (change instanceof LetterChange.Changed changed) {
            return new Answer.Done(changed.letter(), detail);
        }
        return change instanceof LetterChange.Refused refused
                ? new Answer.NotOpen(refused.letter())
                : new Answer.Absent();
    }

    private Answer audited(String event, String operator, Answer answer) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("event", event);
        if (answer instanceof Answer.Done done) {
            describe(data, done.letter());
            RedriveOutcome outcome = done.letter().handling().outcome();
            data.put("result", outcome == null || event.equals("letter.discard") ? "done" : word(outcome.result()));
        } else if (answer instanceof Answer.NotOpen notOpen) {
            describe(data, notOpen.letter());
            data.put("result", "not-open");
        } else if (answer instanceof Answer.Impossible impossible) {
            describe(data, impossible.letter());
            data.put("result", "impossible");
        } else {
            data.put("result", "absent");
        }
        audit.add(operator, data);
        return answer;
    }

    private static void describe(Map<String, Object> data, DeadLetterSummary letter) {
        data.put("letter", letter.id());
        data.put("biz_type", letter.key().bizType());
        data.put("record_key", letter.key().hex());
        data.put("state", word(letter.state()));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
