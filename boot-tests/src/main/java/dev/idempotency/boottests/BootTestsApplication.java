// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.spring.web.IdempotencyFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** The application under test, the same source on every supported Spring Boot. */
@SpringBootApplication
public class BootTestsApplication {

    /** Starts it; its port is written to the file that the system property {@code port.file} names, if one does. */
    public static void main(String[] args) throws IOException {
        ConfigurableApplicationContext context = SpringApplication.run(BootTestsApplication.class, args);
        String file = System.getProperty("port.file");
        if (file != null) {
            Path written = Path.of(file + ".tmp");
            Files.writeString(written, context.getEnvironment().getRequiredProperty("local.server.port"));
            Files.move(written, Path.of(file), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Bean
    static StoreProbe storeProbe() {
        return new StoreProbe();
    }

    @Bean
    PlacesControllers.Proxied proxiedController() {
        return new PlacesControllers.ProxiedController();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {

        private static final RequestMatcher LOCKED =
                PathPatternRequestMatcher.withDefaults().matcher("/locked");

        /** Everybody is known but those who are gone. */
        @Bean
        UserDetailsService users() {
            return name -> {
                if (name.startsWith("gone")) {
                    throw new UsernameNotFoundException(name);
                }
                return new User(name, "", List.of());
            };
        }

        @Bean
        SecurityFilterChain securityFilterChain(
                HttpSecurity http, Environment environment, ObjectProvider<IdempotencyFilter> ours) throws Exception {
            if (environment.containsProperty("double-filter")) {
                http.addFilterAfter(ours.getObject(), AuthorizationFilter.class);
            }
            if (environment.getProperty("cors", "").equals("security")) {
                http.cors(cors -> cors.configurationSource(CorsConfigurations.allowing("X-Own")));
            }
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(LOCKED)
                            .denyAll()
                            .anyRequest()
                            .permitAll())
                    .csrf(csrf -> csrf.disable())
                    .addFilterBefore(new SubjectFilter(), AuthorizationFilter.class)
                    .build();
        }
    }
}
