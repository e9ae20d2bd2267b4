// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that stands for the instance itself. */
class LetterDeskTest {

    private final InMemoryDeadLetterQueue queue = new InMemoryDeadLetterQueue();
    private final RedriveTickets tickets = new RedriveTickets();
    private final List<Map<String, Object>> audited = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch testOver = new CountDownLatch(1);
    private volatile Instance instance = (ticket, exchange) -> 200;
    private HttpServer server;

    /** What the instance does with a redrive. */
    private interface Instance {
        int answer(RedriveTicket ticket, HttpExchange exchange) throws Exception;
    }

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            String token = exchange.getRequestHeaders().getFirst(RedriveFilter.HEADER);
            try {
                exchange.sendResponseHeaders(instance.answer(tickets.take(token), exchange), -1);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        testOver.countDown();
        server.stop(0);
    }

    private LetterDesk desk(Duration timeout) {
        URI address = URI.create("http://localhost:" + server.getAddress().getPort());
        return desk(timeout, address);
    }

    private LetterDesk desk(Duration timeout, URI address) {
        return new LetterDesk(
                queue,
                tickets,
                new Loopback(() -> address),
                new AuditTrail((operator, data) -> audited.add(data)),
                timeout);
    }

    private String park(RequestSnapshot request) {
        ParkedRequest parked = TestLetters.parked("http", request);
        queue.park(parked);
        return parked.id();
    }

    private String park(int version, Payload content) {
        ParkedRequest parked = new ParkedRequest(DeadLetterReason.BREAKER_OPENED, TestLetters.KEY, version, content);
        queue.park(parked);
        return parked.id();
    }

    private String park() {
        return park(TestLetters.request("POST", "/orders/7", "a=1"));
    }

    private static Result outcome(LetterDesk.Answer answer) {
        assertThat(answer).isInstanceOf(LetterDesk.Answer.Done.class);
        RedriveOutcome outcome =
                ((LetterDesk.Answer.Done) answer).letter().handling().outcome();
        assertThat(outcome).isNotNull();
        return outcome.result();
    }

    private static int runs(RedriveTicket ticket, int status) {
        assertThat(ticket.admit(TestLetters.KEY, TestLetters.FINGERPRINT)).isTrue();
        ticket.report(Result.RAN);
        return status;
    }

    @Test
    void theRequestIsSentAsItWasParked() {
        List<String> seen = new ArrayList<>();
        instance = (ticket, exchange) -> {
            seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            seen.add(exchange.getRequestHeaders().getFirst("X-Idempotency-Key"));
            seen.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            return runs(ticket, 201);
        };
        String id = park();

        assertThat(outcome(desk(Duration.ofMinutes(1)).redrive(id, "olga"))).isEqualTo(Result.RAN);

        assertThat(seen).containsExactly("POST /orders/7?a=1", "K1", "{}");
        assertThat(queue.find(id).summary().handling().outcome()).isEqualTo(new RedriveOutcome(Result.RAN, 201));
        assertThat(audited)
                .singleElement()
                .satisfies(entry -> assertThat(entry)
                        .containsEntry("event", "letter.redrive")
                        .containsEntry("letter", id)
                        .containsEntry("record_key", TestLetters.KEY.hex())
                        .containsEntry("result", "ran")
                        .doesNotContainValue("K1"));
    }

    @Test
    void whatDoesNotComeToTheEndpointLeavesTheLetterOpen() {
        instance = (ticket, exchange) -> 401;
        String id = park();

        assertThat(outcome(desk(Duration.ofMinutes(1)).redrive(id, "olga"))).isEqualTo(Result.NOT_REACHED);

        assertThat(queue.find(id).summary().state()).isEqualTo(DeadLetterState.OPEN);
        assertThat(outcome(desk(Duration.ofMinutes(1)).redrive(id, "olga"))).isEqualTo(Result.NOT_REACHED);
    }

    @Test
    void anInstanceThatCannotBeReachedRunsNothingLater() throws Exception {
        String id = park();
        URI nobody = URI.create("http://localhost:1");

        LetterDesk.Answer answer = desk(Duration.ofSeconds(5), nobody).redrive(id, "olga");

        assertThat(outcome(answer)).isEqualTo(Result.NOT_SENT);
        assertThat(((LetterDesk.Answer.Done) answer).detail()).contains("could not be reached");
        assertThat(queue.find(id).summary().state()).isEqualTo(DeadLetterState.OPEN);
    }

    @Test
    void aRequestThatIsStillInFrontOfTheEndpointWhenTheTimeIsOverIsNotLetInAnyMore() throws Exception {
        RedriveTicket[] late = new RedriveTicket[1];
        instance = (ticket, exchange) -> {
            late[0] = ticket;
            testOver.await();
            return 200;
        };
        String id = park();

        assertThat(outcome(desk(Duration.ofMillis(300)).redrive(id, "olga"))).isEqualTo(Result.NOT_SENT);

        assertThat(late[0].admit(TestLetters.KEY, TestLetters.FINGERPRINT)).isFalse();
    }

    @Test
    void aRequestThatRunsLongerThanTheTimeSettlesTheLetter() {
        instance = (ticket, exchange) -> {
            runs(ticket, 200);
            testOver.await();
            return 200;
        };
        String id = park();

        assertThat(outcome(desk(Duration.ofMillis(500)).redrive(id, "olga"))).isEqualTo(Result.NO_ANSWER);

        assertThat(queue.find(id).summary().state()).isEqualTo(DeadLetterState.REDRIVEN);
    }

    @Test
    void whatCannotBeSentAgainIsNotSent() {
        RequestSnapshot shortened = new RequestSnapshot("POST", "/orders", null, List.of(), Payload.EMPTY, false, null);
        RequestSnapshot redacted = new RequestSnapshot(
                "POST", "/orders", null, List.of(), Payload.EMPTY, true, null, List.of(), List.of("/card"));
        List<String> ids = new ArrayList<>();
        ids.add(park(1, TestLetters.parked("http", shortened).content()));
        ids.add(park(2, TestLetters.parked("http", redacted).content()));
        ids.add(park(
                3,
                TestLetters.parked("method", TestLetters.request("method", "Orders#create", null))
                        .content()));
        ids.add(park(4, Payload.of(new byte[] {1})));

        for (String id : ids) {
            assertThat(desk(Duration.ofMinutes(1)).redrive(id, "olga"))
                    .isInstanceOf(LetterDesk.Answer.Impossible.class);
            queue.discard(id, "olga", "");
            assertThat(desk(Duration.ofMinutes(1)).redrive(id, "olga")).isInstanceOf(LetterDesk.Answer.NotOpen.class);
        }
        assertThat(desk(Duration.ofMinutes(1)).redrive("none", "olga")).isEqualTo(new LetterDesk.Answer.Absent());
        assertThat(calls).hasValue(0);
    }

    @Test
    void aLetterThatSomebodyElseRedrivesIsLeftAlone() {
        String id = park();
        assertThat(queue.startRedrive(id, OwnerToken.random(), Duration.ofMinutes(1), "ann"))
                .isInstanceOf(LetterChange.Changed.class);

        assertThat(desk(Duration.ofMinutes(1)).redrive(id, "olga")).isInstanceOf(LetterDesk.Answer.NotOpen.class);

        assertThat(calls).hasValue(0);
    }
}
