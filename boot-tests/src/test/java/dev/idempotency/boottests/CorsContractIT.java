// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Browser clients on other origins, wherever the application allows them: rows C24 and C30. */
class CorsContractIT {

    private static final String ONE = "https://one.example";
    private static final String TWO = "https://two.example";

    private static final Map<String, Server> servers = new HashMap<>();

    @AfterAll
    static void stop() {
        servers.values().forEach(Server::close);
    }

    private static HttpTarget http(String cors) {
        return servers.computeIfAbsent(cors, key -> Server.start("cors=" + cors))
                .http();
    }

    @ParameterizedTest
    @CsvSource({
        "filter, /cross-origin",
        "registration, /cross-origin",
        "security, /cross-origin",
        "none, /cross-origin-annotated"
    })
    void everyExchangeHasItsOwnCorsHeadersOnce(String cors, String path) {
        String note = HttpContract.fresh();
        String key = HttpContract.fresh();
        String target = path + "?note=" + note;

        RawAnswer preflight = new RawAnswer(http(cors)
                .raw("OPTIONS " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: " + ONE
                        + "\r\nAccess-Control-Request-Method: POST\r\n"
                        + "Access-Control-Request-Headers: content-type, x-idempotency-key\r\n\r\n"));
        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.headers("Access-Control-Allow-Origin")).containsExactly(ONE);
        assertThat(preflight.headers("Access-Control-Allow-Headers").get(0)).containsIgnoringCase("x-idempotency-key");

        RawAnswer first = allowed(post(cors, target, key, ONE), ONE);
        RawAnswer repeat = allowed(post(cors, target, key, TWO), TWO);
        RawAnswer reused = allowed(http(cors).rawPost(target, key, "other", "Origin: " + ONE), ONE);
        RawAnswer missing = allowed(post(cors, target, "", TWO), TWO);
        RawAnswer elsewhere = post(cors, target, key, "https://evil.test");

        assertThat(first.status()).isEqualTo(200);
        assertThat(repeat.headers(Answer.MARK)).containsExactly("true");
        assertThat(repeat.body()).isEqualTo(first.body());
        assertThat(exposed(repeat)).containsOnlyOnce("Idempotent-Replayed").containsOnlyOnce("X-Own");
        assertThat(repeat.headers("Vary")).isEqualTo(first.headers("Vary"));
        assertThat(reused.status()).isEqualTo(422);
        assertThat(missing.status()).isEqualTo(400);
        assertThat(elsewhere.status()).isEqualTo(403);
        assertThat(elsewhere.headers("Access-Control-Allow-Origin")).isEmpty();
        assertThat(elsewhere.headers(Answer.MARK)).isEmpty();
        assertThat(elsewhere.text()).doesNotContain(first.body());
        HttpContract.assertEffects(note, 1);
    }

    private static RawAnswer post(String cors, String target, String key, String origin) {
        return http(cors).rawPost(target, key, "x", "Origin: " + origin);
    }

    private static RawAnswer allowed(RawAnswer answer, String origin) {
        assertThat(answer.headers("Access-Control-Allow-Origin"))
                .as(answer.text())
                .containsExactly(origin);
        assertThat(answer.headers("Access-Control-Allow-Credentials")).containsExactly("true");
        return answer;
    }

    private static List<String> exposed(RawAnswer answer) {
        return answer.headers("Access-Control-Expose-Headers").stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(String::strip)
                .toList();
    }
}
