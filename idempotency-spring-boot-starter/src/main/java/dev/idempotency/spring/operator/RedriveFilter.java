// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.spring.problem.Problem;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.problem.ProblemType;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;

/**
 * Knows the requests that this instance sends to itself to redrive a letter, by a secret that nobody else has and that is
 * good once. Any other request that claims to be one is refused; those that do not pass untouched.
 */
public final class RedriveFilter implements Filter {

    /** Header that carries the secret. */
    public static final String HEADER = "Idempotency-Redrive-Token";

    /** Before Spring Security, which is to see the principal, and behind Spring's own filters for observations. */
    public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 20;

    private final RedriveTickets tickets;
    private final RedriveIdentity identity;
    private final ProblemRenderer problems;

    public RedriveFilter(RedriveTickets tickets, RedriveIdentity identity, ProblemRenderer problems) {
        this.tickets = tickets;
        this.identity = identity;
        this.problems = problems;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse httpResponse
                && http.getDispatcherType() == DispatcherType.REQUEST
                && http.getHeader(HEADER) != null) {
            redrive(http, httpResponse, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void redrive(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RedriveTicket ticket = tickets.take(request.getHeader(HEADER));
        if (ticket == null || !ticket.isFor(request)) {
            problems.render(refusal("The request is no redrive that this instance knows of."), request, response);
            return;
        }
        HttpServletRequest restored;
        try {
            restored = identity.restore(new RedrivenRequest(request, ticket.original()), ticket.original());
        } catch (RedriveRefusedException e) {
            ticket.refuse(Result.NOT_REACHED, String.valueOf(e.getMessage()));
            problems.render(refusal("The principal of the request cannot be restored."), request, response);
            return;
        }
        ticket.attachTo(restored);
        chain.doFilter(restored, response);
    }

    private static Problem refusal(String detail) {
        return Problem.of(ProblemType.REDRIVE_REFUSED, detail);
    }
}
