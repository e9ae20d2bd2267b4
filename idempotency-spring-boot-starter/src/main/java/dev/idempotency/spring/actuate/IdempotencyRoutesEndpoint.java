// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import dev.idempotency.Routes;
import dev.idempotency.breaker.SuspendedRoute;
import dev.idempotency.breaker.Suspension;
import dev.idempotency.key.RecordKey;
import dev.idempotency.spring.operator.AuditTrail;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * BizTypes that are suspended; and, where {@code management.endpoint.idempotencyroutes.access} is {@code unrestricted}, their
 * resumption.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 knows optional parameters by Spring's own Nullable alone
@WebEndpoint(id = "idempotencyroutes", defaultAccess = Access.READ_ONLY)
public final class IdempotencyRoutesEndpoint {

    private final Routes routes;
    private final AuditTrail audit;

    public IdempotencyRoutesEndpoint(Routes routes, AuditTrail audit) {
        this.routes = routes;
        this.audit = audit;
    }

    /** Those that are suspended or wait for a trial, on all instances. */
    @ReadOperation
    public WebEndpointResponse<Object> list() {
        return Answers.of(() -> Answers.ok(Map.of(
                "routes",
                routes.suspended().stream().map(IdempotencyRoutesEndpoint::view).toList())));
    }

    private static Map<String, Object> view(SuspendedRoute route) {
        Suspension suspension = route.suspension();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("bizType", route.bizType());
        view.put("state", route.remaining().isZero() ? "waiting-for-trial" : "suspended");
        view.put("cause", suspension.cause().code());
        view.put("since", suspension.since().toString());
        view.put("until", suspension.until().toString());
        view.put("remainingSeconds", route.remaining().plusNanos(999_999_999).toSeconds());
        view.put("suspensions", suspension.count());
        view.put("recordKey", suspension.recordKey());
        return view;
    }

    /**
     * Resumes a bizType: its requests run again, and what failed before is forgotten.
     *
     * @param reason why
     */
    @WriteOperation
    public WebEndpointResponse<Object> resume(
            SecurityContext security,
            @Selector String bizType,
            @org.springframework.lang.Nullable @Nullable String reason) {
        String operator = Operators.name(security);
        return Answers.of(() -> {
            if (!Operators.isReason(reason)) {
                return Answers.badRequest(
                        "A resumption needs a reason of at most " + Operators.MAX_REASON + " characters.");
            }
            boolean resumed = routes.resume(RecordKey.requireBizType(bizType));
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("event", "route.resume");
            entry.put("biz_type", bizType);
            entry.put("reason", reason);
            entry.put("result", resumed ? "resumed" : "not-suspended");
            audit.add(operator, entry);
            return resumed ? Answers.ok(Map.of("resumed", true)) : Answers.notFound("The bizType is not suspended.");
        });
    }
}
