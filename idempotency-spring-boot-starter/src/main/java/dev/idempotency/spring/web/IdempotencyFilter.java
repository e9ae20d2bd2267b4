// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.Decision;
import dev.idempotency.Execution;
import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.IdempotentRequest;
import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.hygiene.KeyHygiene;
import dev.idempotency.spring.identity.BufferedRequest;
import dev.idempotency.spring.identity.IdempotencyKeyResolver;
import dev.idempotency.spring.identity.InvalidRequestException;
import dev.idempotency.spring.identity.RequestIdentifier.Arrival;
import dev.idempotency.spring.identity.RequestIdentity;
import dev.idempotency.spring.operator.RedriveTicket;
import dev.idempotency.spring.problem.Problem;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.problem.ProblemType;
import dev.idempotency.spring.transaction.BusinessTransaction;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.webhook.VerifiedDelivery;
import dev.idempotency.store.StoreUnavailableException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP access layer: turns a request to a protected endpoint into an {@link IdempotentRequest}, and renders what the
 * coordinator decides. Any other request passes untouched, neither wrapped nor buffered.
 *
 * <p>However often it stands in the chain, and however often a request is dispatched, a request is claimed once.
 */
public final class IdempotencyFilter implements Filter {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyFilter.class);

    /**
     * Order of the filter: behind Spring Security (-100 in every Spring Boot), so that what it refuses leaves no record;
     * before the application's own filters, which have no order and so come last.
     */
    public static final int ORDER = -90;

    private static final Problem REDRIVE_REFUSED =
            Problem.of(ProblemType.REDRIVE_REFUSED, "The request would not be the operation that its letter is about.");
    private static final String TRANSPORT = "http";
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final IdempotencyCoordinator coordinator;
    private final Supplier<ProtectedEndpoints> endpoints;
    private final IdempotencyKeyResolver keys;
    private final ProblemRenderer problems;
    private final StoredAnswers answers;
    private final BusinessTransactions transactions;
    private final Limits limits;
    private final RequestSnapshots snapshots;
    private final KeyHygiene hygiene;

    /**
     * How much of a message is kept in memory.
     *
     * @param requestBytes most bytes of a request body; a longer one is refused
     * @param responseBytes most bytes of an answer that is kept; a longer one is sent and not kept
     * @param snapshots what of a request a dead letter keeps
     */
    public record Limits(int requestBytes, int responseBytes, SnapshotRules snapshots) {

        /** Limits with dead letters as of {@link SnapshotRules#DEFAULTS}. */
        public Limits(int requestBytes, int responseBytes) {
            this(requestBytes, responseBytes, SnapshotRules.DEFAULTS);
        }
    }

    /**
     * A filter.
     *
     * @param endpoints known once the application has started
     * @param mark name of the header that marks a replay
     * @param transactions of the endpoints that are transactional
     * @param hygiene looks at the keys that come
     */
    public IdempotencyFilter(
            IdempotencyCoordinator coordinator,
            Supplier<ProtectedEndpoints> endpoints,
            IdempotencyKeyResolver keys,
            ProblemRenderer problems,
            String mark,
            BusinessTransactions transactions,
            Limits limits,
            KeyHygiene hygiene) {
        this.coordinator = coordinator;
        this.endpoints = endpoints;
        this.keys = keys;
        this.problems = problems;
        this.answers = new StoredAnswers(mark);
        this.transactions = transactions;
        this.limits = limits;
        this.snapshots = new RequestSnapshots(limits.snapshots());
        this.hygiene = hygiene;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Exchange running = Exchange.of(request);
        if (running != null) {
            running.resume(chain, request, response);
        } else if (request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse httpResponse
                && http.getDispatcherType() == DispatcherType.REQUEST
                && !SAFE_METHODS.contains(http.getMethod())
                && endpoints.get().mayContain(http)) {
            protect(http, httpResponse, chain);
        } else {
            passUnprotected(request, response, chain);
        }
    }

    private void protect(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestAttributesSnapshot before = new RequestAttributesSnapshot(request);
        EndpointMatch match = endpoints.get().find(request);
        if (match == null) {
            before.restore();
            passUnprotected(request, response, chain);
            return;
        }
        Call call;
        try {
            call = identify(match, request, response);
        } catch (InvalidRequestException e) {
            before.restore();
            redriveRefused(request, Result.NOT_THE_SAME, String.valueOf(e.getMessage()));
            refuse(Problem.of(e.problem(), String.valueOf(e.getMessage())), match.cors(), request, response);
            return;
        } catch (IOException e) {
            log.debug("The body of a request could not be read.", e);
            before.restore();
            if (!response.isCommitted()) { // Tomcat has answered such a body by itself
                response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            }
            return;
        }
        before.restore();
        if (call == null) {
            passUnprotected(request, response, chain);
        } else {
            answer(call, response, chain);
        }
    }

    /** Identifies a request; {@code null} if it is to run unprotected after all. */
    private @Nullable Call identify(EndpointMatch match, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InvalidRequestException {
        String key = key(request);
        MissingKey missingKey = match.endpoint().missingKey();
        if (key == null && missingKey == MissingKey.BYPASS) {
            return null;
        }
        if (key == null && missingKey == MissingKey.REJECT) {
            throw new InvalidRequestException(
                    ProblemType.KEY_MISSING, "The request must carry " + keyDescription(request) + ".");
        }
        BufferedRequest buffered = BufferedRequest.of(
                request, limits.requestBytes(), endpoints.get().takesParts(request));
        Arrival arrival = new Arrival(buffered, response, match.path(), match.caseSensitive(), match.handler());
        RequestIdentity identity = match.endpoint().identifier().identify(arrival, key);
        if (key != null) {
            hygiene.look(watched(match.endpoint(), request), key, identity.fingerprint());
        }
        return new Call(match, buffered, identity);
    }

    /** The event's id is the key of a webhook that has one, whatever other header it carries. */
    private @Nullable String key(HttpServletRequest request) throws InvalidRequestException {
        VerifiedDelivery delivery = VerifiedDelivery.of(request);
        if (delivery != null && delivery.hasEventIds()) {
            return delivery.eventId();
        }
        String key = keys.resolve(request);
        if (key != null && key.isBlank()) {
            throw new InvalidRequestException(ProblemType.KEY_INVALID, "The idempotency key must not be blank.");
        }
        return key;
    }

    private String keyDescription(HttpServletRequest request) {
        VerifiedDelivery delivery = VerifiedDelivery.of(request);
        return delivery != null && delivery.hasEventIds() ? "the id of its event" : keys.description();
    }

    /** Who draws the keys: the sender of a webhook, or whoever calls the endpoint. */
    private static String watched(ProtectedEndpoint endpoint, HttpServletRequest request) {
        VerifiedDelivery delivery = VerifiedDelivery.of(request);
        return delivery == null ? endpoint.bizType() : delivery.sender();
    }

    /** A redrive never runs without the protection of its record. */
    private void passUnprotected(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (RedriveTicket.of(request) == null
                || request.getDispatcherType() != DispatcherType.REQUEST
                || !(request instanceof HttpServletRequest http)
                || !(response instanceof HttpServletResponse httpResponse)) {
            chain.doFilter(request, response);
            return;
        }
        redriveRefused(request, Result.NOT_THE_SAME, "the endpoint is not protected any more");
        problems.render(REDRIVE_REFUSED, http, httpResponse);
    }

    private static void redriveRefused(ServletRequest request, Result result, String detail) {
        RedriveTicket ticket = RedriveTicket.of(request);
        if (ticket != null) {
            ticket.refuse(result, detail);
        }
    }

    private void answer(Call call, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        BufferedRequest request = call.request();
        RedriveTicket redrive = RedriveTicket.of(request);
        if (redrive != null
                && !redrive.admit(call.identity().key(), call.identity().fingerprint())) {
            refuse(REDRIVE_REFUSED, call.match().cors(), request, response);
            return;
        }
        ProtectedEndpoint endpoint = call.match().endpoint();
        Decision decision = coordinator.begin(new IdempotentRequest(
                call.identity().key(),
                call.identity().fingerprint(),
                endpoint.policy(),
                TRANSPORT,
                TraceIds.of(request),
                () -> snapshots.of(request),
                redrive == null ? 0 : redrive.version()));
        if (redrive != null) {
            redrive.report(DecisionProblems.redriveResult(decision));
        }
        if (decision instanceof Decision.Run run) {
            run(run.execution(), call, response, chain);
        } else if (decision instanceof Decision.RunUnprotected unprotected && redrive != null) {
            Decision closed = new Decision.StoreUnavailable(unprotected.cause());
            refuse(DecisionProblems.of(closed), call.match().cors(), request, response);
        } else if (decision instanceof Decision.RunUnprotected) {
            chain.doFilter(request, response);
        } else if (decision instanceof Decision.Replay replay) {
            call.match().cors().pass(request, response, () -> answers.replay(replay.response(), response));
        } else if (endpoint.acknowledgement() != null && isDone(decision)) {
            answers.acknowledge(endpoint.acknowledgement(), response);
        } else {
            refuse(problem(decision, endpoint), call.match().cors(), request, response);
        }
    }

    private void run(Execution execution, Call call, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ProtectedEndpoint endpoint = call.match().endpoint();
        BusinessTransaction transaction;
        try {
            transaction = begin(execution, call);
        } catch (StoreUnavailableException e) {
            log.warn("{} was not run: {}.", execution.key(), e.getMessage(), e);
            Problem problem = DecisionProblems.of(new Decision.StoreUnavailable(e));
            refuse(problem, call.match().cors(), call.request(), response);
            return;
        }
        Exchange.LostClaim lostClaim =
                () -> refuse(DecisionProblems.AFTER_ROLLBACK, call.match().cors(), call.request(), response);
        new Exchange(execution, transaction, endpoint, call.request(), response, limits.responseBytes(), lostClaim)
                .run(chain);
    }

    private BusinessTransaction begin(Execution execution, Call call) {
        ProtectedEndpoint endpoint = call.match().endpoint();
        if (!endpoint.policy().transactional()) {
            return BusinessTransaction.none(execution);
        }
        try {
            return transactions.begin(execution, endpoint.bizType());
        } catch (RuntimeException | Error e) { // nothing has run, and the letter of a redrive stays open
            redriveRefused(call.request(), Result.STORE_UNAVAILABLE, "its transaction could not be begun");
            throw e;
        }
    }

    /** What the sender of a webhook must not send again, although its first answer cannot be given. */
    private static boolean isDone(Decision decision) {
        return decision instanceof Decision.AlreadyProcessed
                || (decision instanceof Decision.ResultUnavailable unavailable && unavailable.done());
    }

    private static Problem problem(Decision decision, ProtectedEndpoint endpoint) {
        Problem problem = DecisionProblems.of(decision);
        return endpoint.acknowledgement() != null && decision instanceof Decision.InProgress
                ? problem.withStatus(endpoint.acknowledgement().runningStatus())
                : problem;
    }

    private void refuse(Problem problem, CorsGate cors, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        cors.pass(request, response, () -> {
            if (problem.retryAfter() != null) {
                CorsGate.expose("Retry-After", response);
            }
            problems.render(problem, request, response);
        });
    }

    /** A request to a protected endpoint, and who it is. */
    private record Call(EndpointMatch match, BufferedRequest request, RequestIdentity identity) {}
}
