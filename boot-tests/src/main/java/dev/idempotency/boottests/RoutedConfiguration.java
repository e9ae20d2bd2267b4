// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.util.Map;
import java.util.UUID;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** A functional endpoint, which no annotation can protect. */
@Configuration(proxyBeanMethods = false)
class RoutedConfiguration {

    @Bean
    RouterFunction<ServerResponse> routed() {
        return RouterFunctions.route()
                .POST("/routed/{name}", request -> {
                    Map<String, Object> body = request.body(new ParameterizedTypeReference<Map<String, Object>>() {});
                    Effects.happen(String.valueOf(body.get("note")));
                    return ServerResponse.ok().body(UUID.randomUUID().toString());
                })
                .build();
    }
}
