// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.Execution;
import dev.idempotency.IdempotencyContext;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.spring.transaction.BusinessTransaction;
import dev.idempotency.store.StoredResponse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * One protected request from its claim to its answer, over all of its dispatches. The execution is ended once: when the
 * last dispatch has written the answer, and before the first byte of that answer leaves.
 */
final class Exchange {

    private static final Logger log = LoggerFactory.getLogger(Exchange.class);
    private static final String ATTRIBUTE = Exchange.class.getName();
    private static final int INTERNAL_SERVER_ERROR = 500;

    private final Execution execution;
    private final BusinessTransaction transaction;
    private final ProtectedEndpoint endpoint;
    private final int maxResponseBytes;
    private final HttpServletRequest request;
    private final CapturedResponse captured;
    private final LostClaim lostClaim;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile boolean lost;
    private volatile @Nullable Throwable thrown;

    /** Answers a request whose effect was rolled back, as its claim had been lost. */
    @FunctionalInterface
    interface LostClaim {

        void answer() throws IOException, ServletException;
    }

    Exchange(
            Execution execution,
            BusinessTransaction transaction,
            ProtectedEndpoint endpoint,
            HttpServletRequest request,
            HttpServletResponse response,
            int maxResponseBytes,
            LostClaim lostClaim) {
        this.execution = execution;
        this.transaction = transaction;
        this.endpoint = endpoint;
        this.maxResponseBytes = maxResponseBytes;
        this.captured = capture(response);
        this.request = new ExchangeRequest(request, captured, this);
        this.lostClaim = lostClaim;
    }

    /** The exchange that a request belongs to, if it is a further dispatch of a protected one. */
    static @Nullable Exchange of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Exchange exchange ? exchange : null;
    }

    /** What is committed with its record is held back whole; anything else only up to the bound. */
    private CapturedResponse capture(HttpServletResponse response) {
        if (isTransactional()) {
            return new CapturedResponse(response, maxResponseBytes, null);
        }
        CapturedResponse[] self = new CapturedResponse[1];
        self[0] = new CapturedResponse(response, maxResponseBytes, () -> endWithoutAnswer(self[0].getStatus()));
        return self[0];
    }

    /** The first dispatch. */
    void run(FilterChain chain) throws IOException, ServletException {
        request.setAttribute(ATTRIBUTE, this);
        dispatch(chain, request, captured);
    }

    /** Any further dispatch of the same request, or another pass through the same filter. */
    void resume(FilterChain chain, ServletRequest again, ServletResponse response)
            throws IOException, ServletException {
        DispatcherType type = again.getDispatcherType();
        if (type == DispatcherType.ASYNC) {
            dispatch(chain, again, response);
        } else if (type == DispatcherType.ERROR && !ended.get() && response instanceof HttpServletResponse page) {
            answered.set(true);
            CapturedResponse errorPage = capture(page);
            try {
                chain.doFilter(again, errorPage);
                end(errorPage);
                errorPage.send();
            } finally {
                errorPage.dispose();
            }
        } else {
            chain.doFilter(again, response);
        }
    }

    private void dispatch(FilterChain chain, ServletRequest dispatched, ServletResponse response)
            throws IOException, ServletException {
        IdempotencyContext.Scope scope = execution.context().open();
        try {
            chain.doFilter(dispatched, response);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            thrown(e);
            throw e;
        } finally {
            scope.close();
        }
        if (!dispatched.isAsyncStarted()) {
            finish();
        }
    }

    /**
     * The handler's side is done: what it has written is the answer, unless an error page is still to be written. Done
     * once, however many dispatches, threads and passes through the filter say so.
     */
    void finish() throws IOException, ServletException {
        if (captured.isError() && endOf(captured.getStatus()) == AttemptEnd.SUCCEEDED) {
            transaction.rollback();
            return;
        }
        end(captured);
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        if (lost) {
            captured.discard();
            lostClaim.answer();
        } else {
            captured.send();
        }
    }

    /** Whatever happened, the request is over; ends an execution that no dispatch has ended. */
    void abandon() {
        answered.set(true);
        captured.dispose();
        if (ended.compareAndSet(false, true)) {
            log.warn("{} was ended by no dispatch; it counts as failed.", execution.key());
            transaction.fail(null, captured.getStatus());
        }
    }

    private void end(CapturedResponse answer) {
        answer.finishWriting();
        end(answer.getStatus(), () -> answer.isTooLarge() ? tooLarge() : answer.toStoredResponse());
    }

    /** The answer is about to be sent although it cannot be kept. */
    private void endWithoutAnswer(int status) {
        end(status, this::tooLarge);
    }

    private @Nullable StoredResponse tooLarge() {
        log.warn(
                "The answer of {} has more than {} bytes and is not kept; repeats get 409 result-unavailable.",
                execution.key(),
                maxResponseBytes);
        return null;
    }

    private void end(int status, Supplier<@Nullable StoredResponse> answer) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            switch (endOf(status)) {
                case SUCCEEDED -> lost = !transaction.complete(answer.get());
                case FAILED -> transaction.fail(cause(), status);
                case RELEASED -> transaction.release();
            }
        } catch (RuntimeException | Error e) {
            if (isTransactional() || e instanceof Error) {
                transaction.fail(e, 0); // unless that is done: neither claim nor transaction may outlive the request
                captured.discard();
                throw e;
            }
            log.error("The end of {} could not be recorded; its answer is sent all the same.", execution.key(), e);
        }
    }

    boolean isTransactional() {
        return endpoint.policy().transactional();
    }

    private AttemptEnd endOf(int status) {
        return endpoint.outcomes().endOf(status, cause());
    }

    /** What the handler threw, if an exception handler or the container made the answer of it. */
    private @Nullable Throwable cause() {
        Throwable known = thrown;
        if (known == null
                && request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) instanceof Throwable resolved) {
            known = resolved;
        }
        if (known == null && request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable reported) {
            known = rootCause(reported);
        }
        return known;
    }

    /** The container answers; what it answers with is kept if the rules say so. */
    private void thrown(Throwable escaped) {
        thrown = rootCause(escaped);
        answered.set(true);
        if (endOf(INTERNAL_SERVER_ERROR) == AttemptEnd.SUCCEEDED) {
            transaction.rollback();
        } else {
            end(INTERNAL_SERVER_ERROR, () -> null);
        }
    }

    private static Throwable rootCause(Throwable thrown) {
        return thrown instanceof ServletException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
