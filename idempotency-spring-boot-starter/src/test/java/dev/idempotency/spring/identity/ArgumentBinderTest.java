// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

class ArgumentBinderTest {

    record Order(String orderNo, int quantity) {}

    @SuppressWarnings("UnusedVariable")
    static class Orders {

        public void json(@RequestBody Order order, @RequestParam int priority, @PathVariable String shop) {}

        public void text(@RequestBody String body, @RequestHeader(name = "X-User", required = false) String user) {}

        public void form(Order order) {}
    }

    private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/shops/7/orders");
    private RequestMappingHandlerAdapter adapter;
    private ArgumentBinder binder;

    @BeforeEach
    void startAdapter() {
        adapter = new RequestMappingHandlerAdapter();
        adapter.setApplicationContext(new StaticWebApplicationContext());
        adapter.setMessageConverters(List.of(new StringHttpMessageConverter(), new JacksonJsonHttpMessageConverter()));
        ConfigurableWebBindingInitializer initializer = new ConfigurableWebBindingInitializer();
        initializer.setConversionService(new DefaultFormattingConversionService());
        adapter.setWebBindingInitializer(initializer);
        adapter.afterPropertiesSet();
        binder = new ArgumentBinder(() -> adapter);
    }

    private Map<Integer, @Nullable Object> bind(String method, Integer... indexes) throws Exception {
        HandlerMethod handler = new HandlerMethod(
                new Orders(),
                Stream.of(Orders.class.getDeclaredMethods())
                        .filter(candidate -> candidate.getName().equals(method))
                        .findAny()
                        .orElseThrow());
        return binder.bind(
                handler, List.of(indexes), new BufferedRequest(request, 1000, true), new MockHttpServletResponse());
    }

    private void json(String body) {
        request.setContentType("application/json");
        request.setContent(body.getBytes(UTF_8));
    }

    @Test
    void argumentsAreBoundAsTheHandlerWillGetThem() throws Exception {
        json("{\"orderNo\":\"A1\",\"quantity\":2}");
        request.addParameter("priority", "3");
        request.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of("shop", "7"));
        assertThat(bind("json", 0, 1, 2)).isEqualTo(Map.of(0, new Order("A1", 2), 1, 3, 2, "7"));
    }

    @Test
    void onlyTheWantedArgumentsAreBound() throws Exception {
        json("not JSON");
        request.addParameter("priority", "3");
        assertThat(bind("json", 1)).isEqualTo(Map.of(1, 3));
    }

    @Test
    void absentOptionalArgumentIsNull() throws Exception {
        request.setContentType("text/plain");
        request.setContent("hello".getBytes(UTF_8));
        assertThat(bind("text", 0, 1)).containsEntry(0, "hello").containsEntry(1, null);
    }

    @Test
    void formIsBoundToARecord() throws Exception {
        request.setContentType("application/x-www-form-urlencoded");
        request.setContent("orderNo=A1&quantity=2".getBytes(UTF_8));
        assertThat(bind("form", 0)).isEqualTo(Map.of(0, new Order("A1", 2)));
    }

    @Test
    void bodyCanStillBeReadByTheHandler() throws Exception {
        json("{\"orderNo\":\"A1\",\"quantity\":2}");
        BufferedRequest buffered = new BufferedRequest(request, 1000, true);
        HandlerMethod handler = new HandlerMethod(new Orders(), "json", Order.class, int.class, String.class);
        binder.bind(handler, List.of(0), new BufferedRequest(buffered), new MockHttpServletResponse());
        assertThat(buffered.getInputStream().readAllBytes()).isEqualTo(buffered.body());
    }

    @Test
    void whatCannotBeBoundKeepsItsCause() {
        json("{\"orderNo\":");
        assertThatExceptionOfType(ArgumentBinder.UnboundException.class)
                .isThrownBy(() -> bind("json", 0))
                .withCauseInstanceOf(HttpMessageNotReadableException.class);
        assertThatExceptionOfType(ArgumentBinder.UnboundException.class)
                .isThrownBy(() -> bind("json", 1))
                .withCauseInstanceOf(MissingServletRequestParameterException.class);
        request.addParameter("priority", "high");
        assertThatExceptionOfType(ArgumentBinder.UnboundException.class).isThrownBy(() -> bind("json", 1));
    }

    @Test
    void adapterThatIsNotReadyIsAnErrorOfOurs() {
        adapter = new RequestMappingHandlerAdapter();
        assertThatIllegalStateException().isThrownBy(() -> bind("json", 0));
    }
}
