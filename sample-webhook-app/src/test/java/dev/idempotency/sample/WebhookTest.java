// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class WebhookTest {

    @LocalServerPort
    private int port;

    @Autowired
    private Effects effects;

    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @CsvSource({
        "/webhooks/orders,    shopify-order.json",
        "/webhooks/inventory, erp-inventory.json",
        "/webhooks/payments,  stripe-event.json"
    })
    void aSampleSentTwiceHasOneEffectAndOneAnswer(String path, String sample) throws Exception {
        String key = UUID.randomUUID().toString();
        long before = effects.count();

        HttpResponse<String> first = post(path, sample(sample), "X-Idempotency-Key", key);
        HttpResponse<String> repeat = post(path, sample(sample), "X-Idempotency-Key", key);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(get(first.headers().firstValue("Location").orElseThrow()).body())
                .isEqualTo(first.body());
        assertThat(repeat.statusCode()).isEqualTo(201);
        assertThat(repeat.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(repeat.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"));
        assertThat(repeat.body()).isEqualTo(first.body());
        assertThat(effects.count()).isEqualTo(before + 1);
    }

    @Test
    void aPaymentNeedsNoKey() throws Exception {
        String event = """
                {"id": "evt_1", "type": "payment_intent.succeeded",
                 "data": {"object": {"id": "pi_without_key", "amount": 100, "currency": "eur"}}}""";
        long before = effects.count();

        assertThat(post("/webhooks/payments", event).statusCode()).isEqualTo(201);
        assertThat(post("/webhooks/payments", event).headers().firstValue("Idempotent-Replayed"))
                .contains("true");
        assertThat(effects.count()).isEqualTo(before + 1);
    }

    @Test
    void anOrderNeedsAKey() throws Exception {
        HttpResponse<String> refused = post("/webhooks/orders", sample("shopify-order.json"));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("urn:idempotency:key-missing");
    }

    @Test
    void aPayloadWithoutItsFieldsIsRefusedAndMayBeCorrected() throws Exception {
        String key = UUID.randomUUID().toString();
        long before = effects.count();

        assertThat(post("/webhooks/orders", "{\"order_id\": 41}", "X-Idempotency-Key", key)
                        .statusCode())
                .isEqualTo(400);
        assertThat(post("/webhooks/orders", order(41), "X-Idempotency-Key", key).statusCode())
                .isEqualTo(201);
        assertThat(effects.count()).isEqualTo(before + 1);
    }

    @Test
    void whatKeepsFailingCoolsDownAndIsParked() throws Exception {
        String key = UUID.randomUUID().toString();
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> failed =
                    post("/webhooks/orders", order(42), "X-Idempotency-Key", key, DemoSwitch.FAIL, "true");
            assertThat(failed.statusCode()).isEqualTo(500);
        }

        HttpResponse<String> cooled = post("/webhooks/orders", order(42), "X-Idempotency-Key", key);

        assertThat(cooled.statusCode()).isEqualTo(503);
        assertThat(cooled.headers().firstValue("Retry-After")).isPresent();
        assertThat(get("/api/deliveries").body()).contains("BREAKER_OPENED").contains("\"COOLED\"");
    }

    @Test
    void aLetterIsRedrivenFromThePage() throws Exception {
        String key = UUID.randomUUID().toString();
        for (int i = 0; i < 3; i++) {
            post("/webhooks/orders", order(44), "X-Idempotency-Key", key, DemoSwitch.FAIL, "true");
        }
        long before = effects.count();
        Matcher newest = Pattern.compile("\"id\":\"(create_order-[^\"]+)\"")
                .matcher(get("/api/deliveries").body());
        assertThat(newest.find()).isTrue();

        HttpResponse<String> redriven = post("/api/letters/" + newest.group(1) + "/redrive", "");

        assertThat(redriven.statusCode()).isEqualTo(200);
        assertThat(redriven.body()).contains("\"REDRIVEN\"", "\"RAN 201\"");
        assertThat(effects.count()).isEqualTo(before + 1);
        assertThat(post("/api/letters/" + newest.group(1) + "/redrive", "").statusCode())
                .isEqualTo(409);
        assertThat(post("/webhooks/orders", order(44), "X-Idempotency-Key", key)
                        .headers()
                        .firstValue("Idempotent-Replayed"))
                .contains("true");
        assertThat(post("/api/letters/none/redrive", "").statusCode()).isEqualTo(404);
    }

    @Test
    void thePageShowsOutcomesButNoKey() throws Exception {
        String key = UUID.randomUUID().toString();
        post("/webhooks/orders", order(43), "X-Idempotency-Key", key);
        post("/webhooks/orders", order(43), "X-Idempotency-Key", key);

        assertThat(get("/").body()).contains("<title>Webhook deliveries</title>");
        assertThat(get("/samples/shopify-order.json").body()).isEqualTo(sample("shopify-order.json"));
        assertThat(get("/api/deliveries").body())
                .contains("\"EXECUTED\"", "\"REPLAYED\"", "create_order:")
                .doesNotContain(key);
    }

    private static String order(int id) {
        return "{\"order_id\": " + id + ", \"total_price\": \"9.90\", \"currency\": \"EUR\"}";
    }

    private static String sample(String name) throws IOException {
        try (InputStream in = WebhookTest.class.getResourceAsStream("/samples/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(request(path).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }
}
