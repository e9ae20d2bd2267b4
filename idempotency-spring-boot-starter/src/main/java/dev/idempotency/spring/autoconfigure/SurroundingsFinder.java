// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.web.Surroundings;
import jakarta.servlet.Servlet;
import jakarta.servlet.annotation.MultipartConfig;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerMapping;

/** Finds what stands around the handlers, once all of it is there. */
final class SurroundingsFinder implements Supplier<Surroundings> {

    private final ObjectProvider<HandlerMapping> mappings;
    private final ObjectProvider<CorsFilter> corsFilters;
    private final ObjectProvider<FilterRegistrationBean<?>> filters;
    private final ObjectProvider<ServletRegistrationBean<?>> servlets;

    SurroundingsFinder(
            ObjectProvider<HandlerMapping> mappings,
            ObjectProvider<CorsFilter> corsFilters,
            ObjectProvider<FilterRegistrationBean<?>> filters,
            ObjectProvider<ServletRegistrationBean<?>> servlets) {
        this.mappings = mappings;
        this.corsFilters = corsFilters;
        this.filters = filters;
        this.servlets = servlets;
    }

    @Override
    public Surroundings get() {
        return new Surroundings(mappings.orderedStream().toList(), corsFilters(), servletsWithoutParts());
    }

    /** Each bean, unless its registration leaves it out, and what only a registration knows. */
    private List<CorsFilter> corsFilters() {
        Set<CorsFilter> found = new LinkedHashSet<>(corsFilters.orderedStream().toList());
        filters.orderedStream().forEach(registration -> {
            if (registration.getFilter() instanceof CorsFilter filter) {
                found.remove(filter);
                if (registration.isEnabled()) {
                    found.add(filter);
                }
            }
        });
        return List.copyOf(found);
    }

    private Set<String> servletsWithoutParts() {
        return servlets.orderedStream()
                .filter(registration ->
                        registration.getMultipartConfig() == null && !isAnnotated(registration.getServlet()))
                .map(ServletRegistrationBean::getServletName)
                .collect(Collectors.toSet());
    }

    private static boolean isAnnotated(@Nullable Servlet servlet) {
        return servlet != null && servlet.getClass().isAnnotationPresent(MultipartConfig.class);
    }
}
