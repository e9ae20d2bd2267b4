// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/** The places where an application may allow other origins; the property {@code cors} says which one does. */
@Configuration(proxyBeanMethods = false)
class CorsConfigurations {

    /** Allows every origin by its name, so that an answer tells whose exchange it was made for. */
    static CorsConfigurationSource allowing(String... exposed) {
        CorsConfiguration configuration = new CorsConfiguration();
        configuration.setAllowedOriginPatterns(List.of("https://*.example"));
        configuration.setAllowedMethods(List.of("POST"));
        configuration.setAllowedHeaders(List.of("X-Idempotency-Key", "Content-Type"));
        configuration.setExposedHeaders(List.of(exposed));
        configuration.setAllowCredentials(true);
        return request -> configuration;
    }

    @Bean
    @ConditionalOnProperty(name = "cors", havingValue = "filter")
    CorsFilter corsFilter() {
        return new CorsFilter(allowing("X-Own", "Idempotent-Replayed"));
    }

    @Bean
    @ConditionalOnProperty(name = "cors", havingValue = "registration")
    FilterRegistrationBean<CorsFilter> corsFilterRegistration() {
        FilterRegistrationBean<CorsFilter> registration =
                new FilterRegistrationBean<>(new CorsFilter(allowing("X-Own")));
        registration.setOrder(0);
        return registration;
    }

    @RestController
    @Idempotent(bizType = "cross_origin")
    static class CrossOriginController {

        @PostMapping("/cross-origin")
        String plain(@RequestParam("note") String note) {
            Effects.happen(note);
            return UUID.randomUUID().toString();
        }

        @CrossOrigin(
                originPatterns = "https://*.example",
                allowedHeaders = {"X-Idempotency-Key", "Content-Type"},
                allowCredentials = "true",
                exposedHeaders = "X-Own")
        @PostMapping("/cross-origin-annotated")
        String annotated(@RequestParam("note") String note) {
            Effects.happen(note);
            return UUID.randomUUID().toString();
        }
    }
}
