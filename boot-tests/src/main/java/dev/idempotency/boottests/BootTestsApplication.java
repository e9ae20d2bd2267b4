// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

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
