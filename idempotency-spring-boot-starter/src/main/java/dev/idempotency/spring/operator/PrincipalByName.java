// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.RequestSnapshot;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;

/** Restores a principal's name alone, for applications without Spring Security. */
public final class PrincipalByName implements RedriveIdentity {

    @Override
    public HttpServletRequest restore(HttpServletRequest request, RequestSnapshot original) {
        String name = original.principal();
        if (name == null) {
            return request;
        }
        return new HttpServletRequestWrapper(request) {
            @Override
            public Principal getUserPrincipal() {
                return () -> name;
            }

            @Override
            public String getRemoteUser() {
                return name;
            }
        };
    }
}
