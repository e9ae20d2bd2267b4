// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.spring.identity.BusinessIdResolver;
import dev.idempotency.spring.identity.IdempotencyKeyResolver;
import dev.idempotency.spring.identity.TenantResolver;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.web.FailureClassifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One bean of each kind that replaces ours; the examples of docs/extending.md. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("test.own-beans")
class SpiConfiguration {

    @Bean
    IdempotencyKeyResolver eventIdAsKey() {
        return request -> request.getHeader("X-Event-Id");
    }

    @Bean
    BusinessIdResolver orderFromHeader() {
        return (request, bizType) -> request.getHeader("X-Order");
    }

    @Bean
    TenantResolver tenantFromHeader() {
        return request -> request.getHeader("X-Tenant");
    }

    @Bean
    FailureClassifier conflictsAreFinal() {
        return attempt -> attempt.status() == 409 ? AttemptEnd.SUCCEEDED : attempt.byPolicy();
    }

    @Bean
    ProblemRenderer plainText() {
        return (problem, request, response) -> {
            response.setStatus(problem.type().status());
            response.setContentType("text/plain");
            response.getWriter().write("refused: " + problem.type().code());
        };
    }
}
