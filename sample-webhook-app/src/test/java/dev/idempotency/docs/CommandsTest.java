// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.sample.GuideScript;
import dev.idempotency.sample.SampleWebhookApplication;
import dev.idempotency.spring.problem.ProblemType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Bash runs against the sample, by the machine's own bash, curl and openssl, from the project's directory. The comment at the
 * head of each paragraph tells what is answered: the statuses, the types of problems, and whether it is a replay.
 */
@SpringBootTest(classes = SampleWebhookApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class CommandsTest {

    private static final Pattern PROMISED = Pattern.compile("\\b([1-5]\\d\\d)\\b");
    private static final Pattern ANSWERED = Pattern.compile("^HTTP/1\\.1 (\\d{3})", Pattern.MULTILINE);

    @LocalServerPort
    private int port;

    @TestFactory
    Stream<DynamicTest> everyCommandAnswersAsItsCommentSays(@TempDir Path directory) {
        return Page.blocksOf("bash")
                .map(block -> DynamicTest.dynamicTest(block.toString(), () -> check(block, directory, port)));
    }

    static List<String> promises(Block block) {
        return groups(PROMISED, comment(block.code()));
    }

    /** Runs the block, with the port in place of 8080. */
    static void check(Block block, Path directory, int port) throws Exception {
        List<String> paragraphs =
                Arrays.stream(block.code().split("\\n\\s*\\n")).toList();
        List<String> said = run(paragraphs, directory, port);

        assertThat(said).as(block.toString()).hasSameSizeAs(paragraphs);
        for (int i = 0; i < said.size(); i++) {
            String comment = comment(paragraphs.get(i));
            String answer = said.get(i);
            assertThat(groups(ANSWERED, answer).stream().distinct())
                    .as("%s%n%s%n%s", block, comment, answer)
                    .isEqualTo(groups(PROMISED, comment).stream().distinct().toList());
            assertThat(answer.contains("Idempotent-Replayed: true"))
                    .as("replay in %s%n%s%n%s", block, comment, answer)
                    .isEqualTo(comment.toLowerCase(Locale.ROOT).contains("replay"));
            for (ProblemType type : ProblemType.values()) {
                if (comment.contains(type.code())) {
                    assertThat(answer).as(block.toString()).contains(":" + type.code() + "\"");
                }
            }
        }
    }

    private static List<String> run(List<String> paragraphs, Path directory, int port) throws Exception {
        StringBuilder script = new StringBuilder();
        for (String paragraph : paragraphs) {
            script.append("printf '\\n@@@\\n'\n").append(paragraph).append('\n');
        }
        String said = GuideScript.run(
                script.toString().replace("localhost:8080", "localhost:" + port), directory, "BASE", port);
        return Arrays.stream(said.split("\n@@@\n", -1)).skip(1).toList();
    }

    private static String comment(String code) {
        return String.join(
                "\n", code.lines().filter(line -> line.strip().startsWith("#")).toList());
    }

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
