// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.sample.DemoSwitch;
import dev.idempotency.sample.Effects;
import dev.idempotency.sample.GuideScript;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** An operator with nothing but the runbook and curl: from the alert to the letter to the redriven request. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "idempotency.biz-types.create_order.breaker.window=5m", // however busy the machine is
            "idempotency.biz-types.create_order.breaker.cooldown=5m"
        })
class RunbookTest {

    @LocalServerPort
    private int port;

    @Autowired
    private Effects effects;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void theLinesOfTheRunbookLeadToARedrivenRequest(@TempDir Path directory) throws Exception {
        String released = UUID.randomUUID().toString();
        String redriven = UUID.randomUUID().toString();
        park(released);
        park(redriven);
        long before = effects.count();
        assertThat(get("/actuator/prometheus")).contains("idempotency_dead_letters{state=\"open\"} 2.0");

        String said = GuideScript.run(
                String.join("\n", GuideScript.blocks("operations/runbook.md")), directory, "BASE", port);

        assertThat(said)
                .contains("\"outcome\":\"ran\",\"outcomeStatus\":201")
                .containsPattern("(?m)^redriven$")
                .contains("{\"released\":true}")
                .contains("\"state\":\"discarded\"")
                .doesNotContain("\"title\"");
        assertThat(effects.count()).as("the redriven one").isEqualTo(before + 1);
        assertThat(order(redriven, "false").headers().firstValue("Idempotent-Replayed"))
                .contains("true");
        assertThat(order(released, "false").statusCode()).as("no longer cooled").isEqualTo(201);
        assertThat(effects.count()).isEqualTo(before + 2);
    }

    private void park(String key) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(order(key, "true").statusCode()).isEqualTo(500);
        }
        assertThat(order(key, "false").statusCode()).isEqualTo(503);
    }

    private HttpResponse<String> order(String key, String fails) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/webhooks/orders"))
                        .header("Content-Type", "application/json")
                        .header("X-Idempotency-Key", key)
                        .header(DemoSwitch.FAIL, fails)
                        .POST(BodyPublishers.ofString("{\"order_id\":7,\"total_price\":\"1\",\"currency\":\"EUR\"}"))
                        .build(),
                BodyHandlers.ofString());
    }

    private String get(String path) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }
}
