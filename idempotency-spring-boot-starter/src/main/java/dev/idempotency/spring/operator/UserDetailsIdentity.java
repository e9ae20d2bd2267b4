// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.RequestSnapshot;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AccountStatusUserDetailsChecker;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.csrf.CsrfFilter;

/**
 * Restores a principal of Spring Security, with the authorities that the application's users have now; a user who is locked
 * or gone must not ask any more. The request needs no CSRF token, as no browser sends it.
 */
public final class UserDetailsIdentity implements RedriveIdentity {

    private final Supplier<@Nullable UserDetailsService> users;

    /**
     * An identity.
     *
     * @param users where users are looked up; yields {@code null} if the application has none
     */
    public UserDetailsIdentity(Supplier<@Nullable UserDetailsService> users) {
        this.users = users;
    }

    @Override
    public HttpServletRequest restore(HttpServletRequest request, RequestSnapshot original)
            throws RedriveRefusedException {
        CsrfFilter.skipRequest(request);
        String name = original.principal();
        if (name != null) {
            UserDetails user = user(name);
            SecurityContext context = SecurityContextHolder.createEmptyContext();
            context.setAuthentication(
                    UsernamePasswordAuthenticationToken.authenticated(user, null, user.getAuthorities()));
            request.setAttribute(RequestAttributeSecurityContextRepository.DEFAULT_REQUEST_ATTR_NAME, context);
        }
        return request;
    }

    private UserDetails user(String name) throws RedriveRefusedException {
        UserDetailsService known = users.get();
        if (known == null) {
            throw new RedriveRefusedException(
                    "the request was made by a principal, and the application has neither a UserDetailsService nor a"
                            + " RedriveIdentity bean that could restore one",
                    null);
        }
        try {
            UserDetails user = known.loadUserByUsername(name);
            new AccountStatusUserDetailsChecker().check(user);
            return user;
        } catch (AuthenticationException e) {
            throw new RedriveRefusedException(
                    "the principal of the request is not known to the application any more, or must not ask", e);
        }
    }
}
