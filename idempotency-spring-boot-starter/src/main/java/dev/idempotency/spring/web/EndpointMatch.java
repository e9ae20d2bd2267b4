// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.method.HandlerMethod;

/**
 * A request that will reach a protected endpoint.
 *
 * @param endpoint where it goes
 * @param path the request's path within the web application, that of its servlet included
 * @param caseSensitive whether another case of the path is another resource
 * @param handler the method that will handle it; {@code null} if it is no handler method
 * @param cors adds the CORS headers of this exchange to answers that its handler does not give
 */
record EndpointMatch(
        ProtectedEndpoint endpoint,
        PathContainer path,
        boolean caseSensitive,
        @Nullable HandlerMethod handler,
        CorsGate cors) {}
