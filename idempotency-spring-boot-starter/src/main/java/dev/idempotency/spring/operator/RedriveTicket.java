// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The right of one request to pass as the redrive of one letter, and what became of it. An application that checks requests
 * by something that a letter does not hold, such as a signature, may take {@link #of} for that. May be used from any thread.
 */
public final class RedriveTicket {

    private static final String ATTRIBUTE = RedriveTicket.class.getName();

    private enum Admission {
        WAITING,
        ADMITTED,
        CANCELLED
    }

    private final DeadLetterSummary letter;
    private final DeadLetterContent content;
    private final AtomicReference<Admission> admission = new AtomicReference<>(Admission.WAITING);
    private volatile Result result = Result.NOT_REACHED;
    private volatile @Nullable String detail;

    RedriveTicket(DeadLetterSummary letter, DeadLetterContent content) {
        this.letter = letter;
        this.content = content;
    }

    /** The ticket of a request; {@code null} if it is no redrive. */
    public static @Nullable RedriveTicket of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RedriveTicket ticket ? ticket : null;
    }

    void attachTo(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The request that was parked. */
    public RequestSnapshot original() {
        return content.request();
    }

    /** Version of the record that the letter is about. */
    public long version() {
        return letter.version();
    }

    /** Whether a request asks for what the letter's request asked for, as far as its first line tells. */
    boolean isFor(HttpServletRequest request) {
        RequestSnapshot original = original();
        return request.getMethod().equals(original.method())
                && request.getRequestURI().equals(original.target())
                && Objects.equals(request.getQueryString(), original.query());
    }

    /**
     * Lets the request in, once, if it is the letter's operation with the letter's content.
     *
     * @return whether it may be claimed; otherwise it must be refused
     */
    public boolean admit(RecordKey key, Fingerprint fingerprint) {
        if (!key.equals(letter.key()) || fingerprint.contradicts(content.fingerprint())) {
            refuse(
                    Result.NOT_THE_SAME,
                    "the request would be another operation, or have other content, than the letter's");
            return false;
        }
        return admission.compareAndSet(Admission.WAITING, Admission.ADMITTED);
    }

    /** Gives the redrive up; {@code false} if it has been let in already. */
    boolean cancel() {
        return admission.compareAndSet(Admission.WAITING, Admission.CANCELLED);
    }

    /** Tells what became of the request. */
    public void report(Result became) {
        result = became;
    }

    /** Tells that the request was not let in. */
    public void refuse(Result why, String explanation) {
        result = why;
        detail = explanation;
    }

    Result result() {
        return result;
    }

    @Nullable
    String detail() {
        return detail;
    }
}
