// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.web.ProtectedEndpoint;
import java.util.List;
import java.util.Set;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A protected endpoint as it is shown to operators.
 *
 * @param handler what answers its requests
 * @param patterns of its path
 * @param methods HTTP methods, sorted; none for all but the safe ones
 * @param endpoint its rules
 * @param byExpression whether an expression yields its business ids
 */
record EndpointDescription(
        String handler,
        List<PathPattern> patterns,
        Set<String> methods,
        ProtectedEndpoint endpoint,
        boolean byExpression) {

    boolean takes(String method) {
        return methods.isEmpty() || methods.contains(method);
    }

    boolean takes(PathContainer path) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(path));
    }

    /** The most specific of its patterns that match; there must be one. */
    PathPattern best(PathContainer path) {
        return patterns.stream()
                .filter(pattern -> pattern.matches(path))
                .sorted()
                .findFirst()
                .orElseThrow();
    }
}
