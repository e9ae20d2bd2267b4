// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.tck.storm.SenderSchedule;
import dev.idempotency.webhook.RetrySchedule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/testing.md shows is what is compiled and run here. */
class TestingGuideTest {

    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final List<Path> SOURCES = List.of(
            Path.of("src/test/java/dev/idempotency/sample/OrderStormTest.java"),
            Path.of("src/test/java/dev/idempotency/sample/ConformanceTest.java"));

    @Test
    void everyBlockOfJavaIsPartOfATest() throws Exception {
        StringBuilder sources = new StringBuilder();
        for (Path source : SOURCES) {
            sources.append(words(Files.readString(source))).append('\n');
        }
        for (String page : List.of("testing.md", "conformance-kit.md")) {
            List<String> blocks = JAVA.matcher(Files.readString(Path.of("../docs", page)))
                    .results()
                    .map(block -> words(block.group(1)))
                    .toList();

            assertThat(blocks)
                    .as(page)
                    .isNotEmpty()
                    .allSatisfy(block -> assertThat(sources).contains(block));
        }
    }

    @Test
    void theKitsSchedulesAreThoseOfThePresets() {
        assertThat(SenderSchedule.STANDARD_WEBHOOKS.waits()).isEqualTo(RetrySchedule.STANDARD_WEBHOOKS.delays());
        assertThat(SenderSchedule.SVIX.waits()).isEqualTo(RetrySchedule.SVIX.delays());
        assertThat(SenderSchedule.SLACK.waits()).isEqualTo(RetrySchedule.SLACK.delays());
        assertThat(SenderSchedule.SQUARE.waits())
                .startsWith(RetrySchedule.SQUARE.delays().toArray(Duration[]::new));
        assertThat(SenderSchedule.STRIPE.window()).isEqualTo(RetrySchedule.STRIPE.window());
        assertThat(SenderSchedule.SHOPIFY.window()).isEqualTo(RetrySchedule.SHOPIFY.window());
    }

    private static String words(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
