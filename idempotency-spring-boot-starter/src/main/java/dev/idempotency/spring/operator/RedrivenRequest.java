// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.store.StoredResponse.Field;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A redrive as the application sees it: without the ticket's secret, and under the host that was asked first. */
final class RedrivenRequest extends HttpServletRequestWrapper {

    private final @Nullable String host;

    RedrivenRequest(HttpServletRequest request, RequestSnapshot original) {
        super(request);
        this.host = original.fields().stream()
                .filter(field -> field.name().equalsIgnoreCase("Host"))
                .map(Field::value)
                .findFirst()
                .orElse(null);
    }

    @Override
    public @Nullable String getHeader(String name) {
        if (name.equalsIgnoreCase(RedriveFilter.HEADER)) {
            return null;
        }
        return host != null && name.equalsIgnoreCase("Host") ? host : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        if (name.equalsIgnoreCase(RedriveFilter.HEADER)) {
            return Collections.emptyEnumeration();
        }
        return host != null && name.equalsIgnoreCase("Host")
                ? Collections.enumeration(List.of(host))
                : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        List<String> names = Collections.list(super.getHeaderNames());
        names.removeIf(RedriveFilter.HEADER::equalsIgnoreCase);
        return Collections.enumeration(names);
    }

    @Override
    public String getServerName() {
        if (host == null) {
            return super.getServerName();
        }
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }
}
