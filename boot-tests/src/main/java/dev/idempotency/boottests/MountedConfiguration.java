// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.handler.BeanNameUrlHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/** An application with several dispatcher servlets, and paths in which neither case nor parameters count. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("mounted")
class MountedConfiguration implements WebMvcConfigurer {

    @Override
    public void configurePathMatch(PathMatchConfigurer configurer) {
        PathPatternParser parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        configurer.setPatternParser(parser);
    }

    @Bean
    StrictHttpFirewall lenientFirewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowSemicolon(true);
        return firewall;
    }

    /** Of the same application context: the same handlers once more. */
    @Bean
    ServletRegistrationBean<DispatcherServlet> secondDispatcherServlet(WebApplicationContext context) {
        ServletRegistrationBean<DispatcherServlet> registration =
                new ServletRegistrationBean<>(new DispatcherServlet(context), "/second/*");
        registration.setName("second");
        return registration;
    }

    /** Of a context of its own, whose handlers nobody else sees. */
    @Bean
    ServletRegistrationBean<DispatcherServlet> ownDispatcherServlet() {
        AnnotationConfigWebApplicationContext own = new AnnotationConfigWebApplicationContext();
        own.register(OwnMapping.class);
        own.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("/received", new OrderReceiver()));
        ServletRegistrationBean<DispatcherServlet> registration =
                new ServletRegistrationBean<>(new DispatcherServlet(own), "/own/*");
        registration.setName("own");
        return registration;
    }

    /** Before those of the parent context, which a dispatcher servlet asks as well. */
    static class OwnMapping extends BeanNameUrlHandlerMapping {

        OwnMapping() {
            setOrder(-10);
        }
    }

    static class OrderReceiver implements HttpRequestHandler {

        @Override
        public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Effects.happen(request.getParameter("note"));
            response.getWriter().print(UUID.randomUUID());
        }
    }
}
