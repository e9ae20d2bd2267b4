// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.hygiene.KeyHygiene;
import dev.idempotency.spring.identity.ArgumentBinder;
import dev.idempotency.spring.identity.IdempotencyKeyHeader;
import dev.idempotency.spring.identity.IdentitySettings;
import dev.idempotency.spring.identity.KeyPart;
import dev.idempotency.spring.identity.RequestIdentifier;
import dev.idempotency.spring.operator.RedriveTicket;
import dev.idempotency.spring.problem.ProblemJsonRenderer;
import dev.idempotency.spring.transaction.BusinessTransaction;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.web.FailureClassifier.Attempt;
import dev.idempotency.spring.web.IdempotencyFilter.Limits;
import dev.idempotency.spring.web.ProtectedEndpoints.Deliveries;
import dev.idempotency.spring.web.ProtectedEndpoints.Route;
import dev.idempotency.store.StoreUnavailableException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.InOrder;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.web.util.pattern.PathPatternParser;

class IdempotencyFilterTest {

    private static final int MAX_RESPONSE = 100;

    private final DeadLetterQueue deadLetters = new InMemoryDeadLetterQueue();
    private final IdempotencyCoordinator coordinator =
            new IdempotencyCoordinator(new InMemoryIdempotencyStore(1_000_000), deadLetters, List.of());
    private final AtomicInteger runs = new AtomicInteger();

    private interface Handler {
        void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    @AfterEach
    void stop() {
        coordinator.close();
    }

    private IdempotencyFilter filter(String... replayStatuses) {
        return filter(IdempotencyPolicy.defaults("order"), BusinessTransactions.none("needs no test"), replayStatuses);
    }

    private IdempotencyFilter filter(
            IdempotencyPolicy policy, BusinessTransactions transactions, String... replayStatuses) {
        return filter(policy, transactions, Attempt::byPolicy, replayStatuses);
    }

    private IdempotencyFilter filter(
            IdempotencyPolicy policy,
            BusinessTransactions transactions,
            FailureClassifier classifier,
            String... replayStatuses) {
        IdentitySettings identity = new IdentitySettings(
                "shop", null, EnumSet.allOf(KeyPart.class), List.of("order_id"), true, null, null, null);
        RequestIdentifier identifier =
                new RequestIdentifier("order", policy.level(), List.of(), identity, null, new ArgumentBinder(() -> {
                    throw new AssertionError("nothing is to be bound");
                }));
        OutcomeRules outcomes = new OutcomeRules("order", new StatusSet(List.of(replayStatuses)), Map.of(), classifier);
        ProtectedEndpoint endpoint = new ProtectedEndpoint(policy, MissingKey.REJECT, outcomes, identifier);
        Route route = new Route(PathPatternParser.defaultInstance.parse("/orders"), Set.of(), endpoint);
        ProtectedEndpoints endpoints = new ProtectedEndpoints(
                new Surroundings(List.of(), List.of(), Set.of()),
                Map.of(),
                List.of(),
                List.of(route),
                Deliveries.NONE,
                true);
        return new IdempotencyFilter(
                coordinator,
                () -> endpoints,
                new IdempotencyKeyHeader(List.of("X-Idempotency-Key")),
                new ProblemJsonRenderer("urn:idempotency:", null),
                "Idempotent-Replayed",
                transactions,
                new Limits(1000, MAX_RESPONSE),
                KeyHygiene.NONE);
    }

    private MockHttpServletResponse send(IdempotencyFilter filter, Handler handler)
            throws IOException, ServletException {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
        request.setServletPath("/orders");
        request.addHeader("X-Idempotency-Key", "K1");
        MockHttpServletResponse response = new MockHttpServletResponse();
        FilterChain chain = (handled, answer) -> {
            runs.incrementAndGet();
            handler.handle((HttpServletRequest) handled, (HttpServletResponse) answer);
        };
        filter.doFilter(request, response, chain);
        return response;
    }

    private static Handler writing(int status, int length) {
        return (request, response) -> {
            response.setStatus(status);
            response.getWriter().write("x".repeat(length));
        };
    }

    @Test
    void answerThatIsTooLargeIsNeverReplayedAsAnEmptyOne() throws Exception {
        IdempotencyFilter filter = filter("2xx");
        MockHttpServletResponse first = send(filter, writing(200, MAX_RESPONSE + 1));
        assertThat(first.getContentAsString()).hasSize(MAX_RESPONSE + 1);
        MockHttpServletResponse second = send(filter, writing(200, MAX_RESPONSE + 1));
        assertThat(second.getStatus()).isEqualTo(409);
        assertThat(second.getContentAsString()).contains("result-unavailable");
        assertThat(runs).hasValue(1);
    }

    /** Containers cut a body at its declared length, so that over HTTP a second one is not seen. */
    @Test
    void asynchronousAnswerIsSentOnceHoweverOftenTheFilterStandsInTheChain() throws Exception {
        IdempotencyFilter filter = filter("2xx");
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
        request.setServletPath("/orders");
        request.addHeader("X-Idempotency-Key", "K1");
        request.setAsyncSupported(true);
        MockHttpServletResponse response = new MockHttpServletResponse();
        AsyncContext[] context = new AsyncContext[1];
        filter.doFilter(request, response, (handled, answer) -> context[0] = handled.startAsync());
        assertThat(response.isCommitted()).isFalse();

        request.setDispatcherType(DispatcherType.ASYNC);
        request.setAsyncStarted(false);
        filter.doFilter(
                context[0].getRequest(),
                context[0].getResponse(),
                (again, answer) -> filter.doFilter(
                        again, answer, (handled, last) -> last.getWriter().write("once")));
        context[0].complete();

        assertThat(response.getContentAsString()).isEqualTo("once");
        assertThat(send(filter, writing(200, 1)).getContentAsString()).isEqualTo("once");
    }

    @Test
    void largestAnswerThatFitsIsReplayed() throws Exception {
        IdempotencyFilter filter = filter("2xx");
        send(filter, writing(200, MAX_RESPONSE));
        MockHttpServletResponse second = send(filter, writing(200, MAX_RESPONSE));
        assertThat(second.getContentAsString()).isEqualTo("x".repeat(MAX_RESPONSE));
        assertThat(second.getHeader("Idempotent-Replayed")).isEqualTo("true");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 500})
    void statusThatIsNotReplayedRunsAgainHoweverLargeItsAnswer(int status) throws Exception {
        IdempotencyFilter filter = filter("2xx");
        for (int length : new int[] {1, MAX_RESPONSE + 1}) {
            assertThat(send(filter, writing(status, length)).getStatus()).isEqualTo(status);
        }
        assertThat(send(filter, writing(200, 1)).getContentAsString()).isEqualTo("x");
        assertThat(runs).hasValue(3);
    }

    @Test
    void largeAnswerOfAReplayedErrorIsToldToBeUnavailable() throws Exception {
        IdempotencyFilter filter = filter("500");
        send(filter, writing(500, MAX_RESPONSE + 1));
        assertThat(send(filter, writing(500, 1)).getStatus()).isEqualTo(409);
        assertThat(runs).hasValue(1);
    }

    @Test
    void refusalOfTheCallerIsForgottenAndAFailureIsCounted() throws Exception {
        IdempotencyFilter filter = filter("2xx");
        AccessDeniedException refusal = new AccessDeniedException("no");
        IllegalStateException failure = new IllegalStateException("broken");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> send(filter, (request, response) -> {
                        throw refusal;
                    }))
                    .isSameAs(refusal);
        }
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> send(filter, (request, response) -> {
                        throw new ServletException(failure);
                    }))
                    .hasCause(failure);
        }
        assertThat(send(filter, writing(200, 1)).getStatus()).isEqualTo(503);
        assertThat(runs).hasValue(6);
        assertThat(deadLetters.list(LetterFilter.ALL, null, 2).letters())
                .singleElement()
                .satisfies(letter -> assertThat(deadLetters
                                .find(letter.id())
                                .open()
                                .failures()
                                .get(0)
                                .message())
                        .isEqualTo("broken"));
    }

    @Test
    void otherRequestsPassUntouched() throws Exception {
        IdempotencyFilter filter = filter("2xx");
        for (String[] other :
                new String[][] {{"GET", "/orders"}, {"HEAD", "/orders"}, {"OPTIONS", "/orders"}, {"POST", "/other"}}) {
            MockHttpServletRequest request = new MockHttpServletRequest(other[0], other[1]);
            request.setServletPath(other[1]);
            MockHttpServletResponse response = new MockHttpServletResponse();
            MockFilterChain chain = new MockFilterChain();
            filter.doFilter(request, response, chain);
            assertThat((Object) chain.getRequest()).isSameAs(request);
            assertThat((Object) chain.getResponse()).isSameAs(response);
            assertThat(request.getAttributeNames().hasMoreElements()).isFalse();
        }
    }

    private static IdempotencyPolicy transactional() {
        IdempotencyPolicy defaults = IdempotencyPolicy.defaults("order");
        return new IdempotencyPolicy(
                "order",
                defaults.ttl(),
                defaults.lease(),
                defaults.level(),
                defaults.onDuplicate(),
                defaults.waitTimeout(),
                defaults.onCompleted(),
                defaults.onOrphan(),
                defaults.storeFailure(),
                defaults.breaker(),
                defaults.routeBreaker(),
                true);
    }

    @Test
    void aRedriveWhoseTransactionCannotBeBegunHasNotRun() {
        RuntimeException exhausted = new IllegalStateException("no connection");
        BusinessTransactions transactions = mock(BusinessTransactions.class);
        when(transactions.begin(any(), any())).thenThrow(exhausted);
        RedriveTicket ticket = mock(RedriveTicket.class);
        when(ticket.admit(any(), any())).thenReturn(true);
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
        request.setServletPath("/orders");
        request.addHeader("X-Idempotency-Key", "K1");
        request.setAttribute(RedriveTicket.class.getName(), ticket);

        IdempotencyFilter filter = filter(transactional(), transactions, "2xx");
        assertThatThrownBy(() -> filter.doFilter(request, new MockHttpServletResponse(), new MockFilterChain()))
                .isSameAs(exhausted);

        InOrder told = inOrder(ticket);
        told.verify(ticket).report(Result.RAN);
        told.verify(ticket).refuse(eq(Result.STORE_UNAVAILABLE), any());
    }

    @Test
    void aRequestWhoseTransactionCannotBeBegunIsRefusedAsWithoutItsStore() throws Exception {
        BusinessTransactions transactions = mock(BusinessTransactions.class);
        when(transactions.begin(any(), any())).thenThrow(new StoreUnavailableException("the pool is used up", null));
        MockHttpServletResponse response = send(filter(transactional(), transactions, "2xx"), writing(200, 1));
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isNotNull();
        assertThat(response.getContentAsString()).contains("store-unavailable");
        assertThat(runs).hasValue(0);
    }

    @Test
    void anErrorWhileAnAttemptIsEndedLeavesNeitherClaimNorTransaction() throws Exception {
        Error error = new StackOverflowError();
        FailureClassifier broken = attempt -> {
            throw error;
        };
        BusinessTransactions none = BusinessTransactions.none("needs no test");
        IdempotencyFilter plain = filter(IdempotencyPolicy.defaults("order"), none, broken, "2xx");
        assertThatThrownBy(() -> send(plain, writing(200, 1))).isSameAs(error);
        assertThat(send(filter("2xx"), writing(204, 0)).getStatus()).isEqualTo(204);
        assertThat(runs).hasValue(2);
    }

    @Test
    void anErrorWhileATransactionIsEndedRollsItBack() {
        Error error = new StackOverflowError();
        BusinessTransaction transaction = mock(BusinessTransaction.class);
        BusinessTransactions transactions = mock(BusinessTransactions.class);
        when(transactions.begin(any(), any())).thenReturn(transaction);
        IdempotencyFilter filter = filter(
                transactional(),
                transactions,
                attempt -> {
                    throw error;
                },
                "2xx");
        assertThatThrownBy(() -> send(filter, writing(200, 1))).isSameAs(error);
        verify(transaction).fail(error, 0);
    }

    @Test
    void filterThatStandsTwiceInTheChainClaimsOnce() throws Exception {
        IdempotencyFilter filter = filter("2xx");
        Handler again = (request, response) -> filter.doFilter(
                request,
                response,
                (ServletRequest handled, ServletResponse answer) ->
                        writing(201, 3).handle((HttpServletRequest) handled, (HttpServletResponse) answer));
        assertThat(send(filter, again).getStatus()).isEqualTo(201);
        MockHttpServletResponse second = send(filter, again);
        assertThat(second.getStatus()).isEqualTo(201);
        assertThat(second.getHeader("Idempotent-Replayed")).isEqualTo("true");
        assertThat(runs).hasValue(1);
    }
}
