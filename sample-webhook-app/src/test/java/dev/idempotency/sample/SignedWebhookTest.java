// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The lines of docs/webhooks.md, run as they are by the machine's own bash, curl and openssl. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class SignedWebhookTest {

    private static final Pattern PROMISE = Pattern.compile("^# .*: (\\d{3})$", Pattern.MULTILINE);
    private static final Pattern STATUS = Pattern.compile("^HTTP/1.1 (\\d{3})", Pattern.MULTILINE);

    @LocalServerPort
    private int port;

    @Autowired
    private Effects effects;

    @Test
    void theLinesOfTheGuideDoWhatItSays(@TempDir Path directory) throws Exception {
        String script = GuideScript.blocks("webhooks.md").get(0);
        long before = effects.count();

        String said = GuideScript.run(script, directory, "HOST", port);

        List<String> promises = groups(PROMISE, script);
        assertThat(promises).hasSize(12);
        assertThat(groups(STATUS, said)).as(said).isEqualTo(promises);
        assertThat(said.lines().filter(line -> line.equals("Idempotent-Replayed: true")))
                .hasSize(1);
        assertThat(effects.count() - before).isEqualTo(9);
    }

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
