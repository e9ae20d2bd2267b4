// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
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

    /** A servlet of its own, without a multipart configuration. */
    @Bean
    ServletRegistrationBean<HttpServlet> plainServlet() {
        return new ServletRegistrationBean<>(
                new HttpServlet() {

                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                        Effects.happen(request.getParameter("note"));
                        response.getWriter()
                                .print(request.getInputStream().readAllBytes().length + " " + UUID.randomUUID());
                    }
                },
                "/plain/*");
    }
}
