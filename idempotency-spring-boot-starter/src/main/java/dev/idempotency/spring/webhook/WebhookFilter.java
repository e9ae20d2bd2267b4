// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.spring.identity.BufferedRequest;
import dev.idempotency.spring.identity.InvalidRequestException;
import dev.idempotency.spring.operator.RedriveTicket;
import dev.idempotency.spring.problem.Problem;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.problem.ProblemType;
import dev.idempotency.webhook.Refusal;
import dev.idempotency.webhook.Secret;
import dev.idempotency.webhook.Verification;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies whatever comes to a sender's path, with any method, before anything is claimed: what is not from the sender is
 * answered 401 and goes no further, without a word on which part was wrong. What is, goes on with exactly the bytes that were
 * verified. Any other request passes untouched.
 */
public final class WebhookFilter implements Filter {

    private static final Logger log = LoggerFactory.getLogger(WebhookFilter.class);
    private static final Duration COME_BACK = Duration.ofMinutes(1);

    private final WebhookSenders senders;
    private final Map<String, EventIds> eventIds = new HashMap<>();
    private final int maxBytes;
    private final Clock clock;
    private final ProblemRenderer problems;
    private final WebhookListener listener;
    private final LogLimit logLimit = new LogLimit();

    /**
     * A filter.
     *
     * @param maxBytes most bytes of a body; a longer one is answered 413
     * @param clock what time stamps are compared with
     * @param tokenizer reads JSON; {@code null} if no JSON library is there
     * @throws IllegalArgumentException if events' ids are in JSON and nothing can read it
     */
    public WebhookFilter(
            WebhookSenders senders,
            int maxBytes,
            Clock clock,
            @Nullable JsonTokenizer tokenizer,
            ProblemRenderer problems,
            WebhookListener listener) {
        this.senders = senders;
        this.maxBytes = maxBytes;
        this.clock = clock;
        this.problems = problems;
        this.listener = listener;
        senders.all().forEach(sender -> eventIds.put(sender.name(), new EventIds(sender.eventIds(), tokenizer)));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            Optional<WebhookSender> sender = senders.of(http).filter(some -> !WebhookSenders.isVerified(http, some));
            if (sender.isPresent()) {
                receive(sender.get(), http, answer, chain);
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private void receive(
            WebhookSender sender, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        BufferedRequest read;
        try {
            read = BufferedRequest.ofSigned(request, maxBytes);
        } catch (InvalidRequestException e) {
            listener.arrived(sender.name(), "too-large");
            refuse(Problem.of(e.problem(), String.valueOf(e.getMessage())), request, response);
            return;
        } catch (IOException e) {
            log.debug("The body of a delivery could not be read.", e);
            listener.arrived(sender.name(), "unreadable");
            if (!response.isCommitted()) { // Tomcat has answered such a body by itself
                response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            }
            return;
        }
        // A redrive was verified before it was parked, and its ticket lets nothing else in; its signature was not kept.
        boolean redriven = RedriveTicket.of(request) != null;
        Problem problem = redriven ? null : verify(sender, read);
        if (problem != null) {
            refuse(problem, request, response);
            return;
        }
        try {
            String eventId = eventIds(sender).find(read);
            new VerifiedDelivery(sender.name(), !sender.eventIds().isEmpty(), eventId).attachTo(read);
        } catch (InvalidRequestException e) {
            listener.arrived(sender.name(), "event-id-invalid");
            refuse(Problem.of(e.problem(), String.valueOf(e.getMessage())), request, response);
            return;
        }
        listener.arrived(sender.name(), redriven ? "redriven" : "verified");
        chain.doFilter(read, response);
    }

    private EventIds eventIds(WebhookSender sender) {
        EventIds ids = eventIds.get(sender.name());
        if (ids == null) {
            throw new IllegalStateException("an unknown sender");
        }
        return ids;
    }

    /** What is wrong with a delivery; {@code null} if it is from its sender. */
    private @Nullable Problem verify(WebhookSender sender, BufferedRequest request) {
        Verification verification;
        try {
            Collection<Secret> secrets = sender.secrets().get();
            if (secrets.isEmpty()) {
                throw new IllegalStateException("there is no secret");
            }
            verification = sender.scheme().verify(new ServletDelivery(request), secrets, clock.instant());
        } catch (RuntimeException e) {
            if (logLimit.permits(sender.name() + " unavailable")) {
                log.error("Deliveries of {} cannot be verified; they are told to come back later.", sender.name(), e);
            }
            listener.arrived(sender.name(), "verification-unavailable");
            return new Problem(
                    ProblemType.VERIFICATION_UNAVAILABLE,
                    "The request was not processed; send it again later.",
                    COME_BACK);
        }
        if (verification instanceof Verification.Refused refused) {
            refused(sender.name(), word(refused.reason()));
            return Problem.of(
                    ProblemType.SIGNATURE_INVALID,
                    "The request was not processed, as its sender could not be verified.");
        }
        return null;
    }

    private void refused(String sender, String reason) {
        listener.arrived(sender, reason);
        if (logLimit.permits(sender + " " + reason)) {
            log.warn("A request to the path of {} is refused: {}; the same is logged once a minute.", sender, reason);
        }
    }

    private static String word(Refusal reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void refuse(Problem problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (problem.status() == HttpServletResponse.SC_UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Signature"); // a 401 must have one (RFC 9110, section 11.6.1)
        }
        problems.render(problem, request, response);
    }
}
