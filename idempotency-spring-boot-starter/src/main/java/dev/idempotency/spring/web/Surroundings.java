// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.util.List;
import java.util.Set;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * What stands around the handlers of an application.
 *
 * @param mappings its handler mappings in their order
 * @param corsFilters those of the servlet container's chain
 * @param servletsWithoutParts names of the servlets for which the container does not take multipart bodies apart; on
 *     Tomcat 11 asking for the parts all the same would cost such a servlet its parameters
 */
public record Surroundings(
        List<HandlerMapping> mappings, List<CorsFilter> corsFilters, Set<String> servletsWithoutParts) {

    public Surroundings {
        mappings = List.copyOf(mappings);
        corsFilters = List.copyOf(corsFilters);
        servletsWithoutParts = Set.copyOf(servletsWithoutParts);
    }
}
