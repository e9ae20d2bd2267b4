// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The commands of docs/dead-letters.md do what the guide says: each curl is sent as it is written there. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OperatorGuideTest {

    private static final Pattern COMMANDS =
            Pattern.compile("<!-- tested by OperatorGuideTest -->\\s*```bash\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern URL = Pattern.compile("\"(\\$letters[^\"]*)\"");
    private static final Pattern DATA = Pattern.compile("-d '([^']*)'");
    private static final Pattern FIRST_ID = Pattern.compile("\"id\":\"([^\"]*)\"");

    @LocalServerPort
    private int port;

    private final HttpClient http = HttpClient.newHttpClient();
    private String id = "";

    @Test
    void everyCommandAnswersAsTheGuideSays() throws Exception {
        String key = UUID.randomUUID().toString();
        for (int i = 0; i < 3; i++) {
            send(HttpRequest.newBuilder(URI.create(base() + "/webhooks/orders"))
                    .header("Content-Type", "application/json")
                    .header("X-Idempotency-Key", key)
                    .header(DemoSwitch.FAIL, "true")
                    .POST(BodyPublishers.ofString("{\"order_id\":77,\"total_price\":\"1\",\"currency\":\"EUR\"}")));
        }
        Matcher block = COMMANDS.matcher(Files.readString(Path.of("../docs/dead-letters.md")));
        assertThat(block.find()).isTrue();

        List<Integer> statuses = new ArrayList<>();
        List<String> bodies = new ArrayList<>();
        for (String line : block.group(1).lines().toList()) {
            if (line.contains("curl ")) {
                HttpResponse<String> answer = run(line);
                statuses.add(answer.statusCode());
                bodies.add(answer.body());
                if (line.startsWith("id=")) {
                    Matcher first = FIRST_ID.matcher(answer.body());
                    assertThat(first.find()).isTrue();
                    id = first.group(1);
                }
            }
        }

        assertThat(statuses).containsExactly(200, 200, 200, 200, 409, 404, 200);
        assertThat(bodies.get(2)).contains("\"path\":\"/webhooks/orders\"", key);
        assertThat(bodies.get(3)).contains("\"outcome\":\"ran\"", "\"outcomeStatus\":201");
        assertThat(bodies.get(6)).contains(id);
    }

    private HttpResponse<String> run(String line) throws Exception {
        Matcher url = URL.matcher(line);
        assertThat(url.find()).as(line).isTrue();
        String address = url.group(1)
                .replace("$letters", base() + "/actuator/idempotencyletters")
                .replace("$id", id);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        Matcher data = DATA.matcher(line);
        if (data.find()) {
            assertThat(line).contains("-X POST", "-H \"$json\"");
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(data.group(1)));
        }
        return send(request);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private String base() {
        return "http://localhost:" + port;
    }
}
