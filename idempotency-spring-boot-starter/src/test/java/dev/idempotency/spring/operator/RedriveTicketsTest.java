// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class RedriveTicketsTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final RedriveTickets tickets = new RedriveTickets();
    private final RedriveTicket ticket = TestLetters.ticket("POST", "/orders", "a=1");

    @Test
    void aTokenIsGoodOnce() {
        String token = tickets.issue(ticket, LONG);

        assertThat(tickets.take(token)).isSameAs(ticket);
        assertThat(tickets.take(token)).isNull();
    }

    @Test
    void nothingElseIsGood() {
        tickets.issue(ticket, LONG);
        String late = tickets.issue(ticket, Duration.ZERO);
        String revoked = tickets.issue(ticket, LONG);
        tickets.revoke(revoked);

        for (String token : new String[] {"", "x", late, revoked}) {
            assertThat(tickets.take(token)).isNull();
        }
    }

    @Test
    void tokensAreLongAndDifferent() {
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            tokens.add(tickets.issue(ticket, LONG));
        }
        assertThat(tokens).hasSize(1_000).allMatch(token -> token.length() == 43);
    }

    @Test
    void aTicketIsForItsOwnRequestAlone() {
        assertThat(ticket.isFor(request("POST", "/orders", "a=1"))).isTrue();
        assertThat(ticket.isFor(request("PUT", "/orders", "a=1"))).isFalse();
        assertThat(ticket.isFor(request("POST", "/payouts", "a=1"))).isFalse();
        assertThat(ticket.isFor(request("POST", "/orders", null))).isFalse();
    }

    private static MockHttpServletRequest request(String method, String path, String query) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setQueryString(query);
        return request;
    }

    @Test
    void anotherOperationOrOtherContentIsNotLetIn() {
        assertThat(ticket.admit(RecordKey.builder("other").build(), TestLetters.FINGERPRINT))
                .isFalse();
        byte[] other = new byte[Fingerprint.DIGEST_BYTES];
        other[0] = 1;
        assertThat(ticket.admit(TestLetters.KEY, Fingerprint.of(1, other))).isFalse();
        assertThat(ticket.result()).isEqualTo(Result.NOT_THE_SAME);
    }

    @Test
    void itIsLetInOnceAndNotAfterItWasGivenUp() {
        assertThat(ticket.admit(TestLetters.KEY, TestLetters.FINGERPRINT)).isTrue();
        assertThat(ticket.admit(TestLetters.KEY, TestLetters.FINGERPRINT)).isFalse();
        assertThat(ticket.cancel()).isFalse();

        RedriveTicket given = TestLetters.ticket("POST", "/orders", null);
        assertThat(given.cancel()).isTrue();
        assertThat(given.admit(TestLetters.KEY, TestLetters.FINGERPRINT)).isFalse();
    }
}
