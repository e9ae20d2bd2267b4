// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

/** The application under test, the same source on every supported Spring Boot. */
@SpringBootApplication
public class BootTestsApplication {

    public static void main(String[] args) {
        SpringApplication.run(BootTestsApplication.class, args);
    }

    @Bean
    static StoreProbe storeProbe() {
        return new StoreProbe();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {

        @Bean
        SecurityFilterChain securityFilterChain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/locked")
                            .denyAll()
                            .anyRequest()
                            .permitAll())
                    .csrf(csrf -> csrf.disable())
                    .addFilterBefore(new SubjectFilter(), AuthorizationFilter.class)
                    .build();
        }
    }
}
