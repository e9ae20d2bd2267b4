// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.spring.identity.BusinessIdResolver;
import dev.idempotency.spring.identity.IdempotencyKeyResolver;
import dev.idempotency.spring.identity.InvalidRequestException;
import dev.idempotency.spring.identity.TenantResolver;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.problem.ProblemType;
import dev.idempotency.spring.web.FailureClassifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Replaces everything that can be replaced. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("spi")
class SpiConfiguration {

    @Bean
    IdempotencyKeyResolver keyFromTheQuery() {
        return request -> {
            String key = request.getParameter("delivery");
            if (key != null && key.startsWith("bad")) {
                throw new InvalidRequestException(ProblemType.KEY_INVALID, "A delivery is not called that.");
            }
            return key;
        };
    }

    /** The first line of the body, whatever it is. */
    @Bean
    BusinessIdResolver firstLine() {
        return (request, bizType) -> request.getReader().readLine();
    }

    @Bean
    TenantResolver tenantHeader() {
        return request -> request.getHeader("X-Tenant");
    }

    @Bean
    FailureClassifier classifier() {
        return attempt -> {
            if (attempt.status() == 418) {
                throw new IllegalStateException("the classifier broke");
            }
            if (attempt.thrown() instanceof IllegalArgumentException || attempt.status() == 503) {
                return AttemptEnd.SUCCEEDED;
            }
            return attempt.byPolicy();
        };
    }

    @Bean
    ProblemRenderer plainText() {
        return (problem, request, response) -> {
            response.setStatus(problem.status());
            response.setContentType("text/plain");
            response.getWriter().print("problem " + problem.type().code() + " " + problem.detail());
        };
    }
}
