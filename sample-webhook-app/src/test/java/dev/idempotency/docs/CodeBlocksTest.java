// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every code block of the documentation is checked by the rule of its kind, or by the test that a comment before it names. A
 * block of another kind fails: nothing is only shown but what is listed here with the reason.
 */
class CodeBlocksTest {

    /** By the block's first line. */
    private static final Map<String, String> SHOWN = Map.ofEntries(
            entry("./mvnw -B verify", "it is what runs this test"),
            entry(
                    "./mvnw -B verify -pl fault-tests -am -Dfaults.rounds=20 -Dfaults.seed=7 \\",
                    "its short form is part of the build"),
            entry(
                    "./mvnw -q -pl sample-webhook-app -am spring-boot:run",
                    "the commands of these pages run against that application"),
            entry(
                    "./mvnw -q -pl sample-webhook-app -am spring-boot:run -Dspring-boot.run.arguments=--storm",
                    "StormTest and StormIT play it"),
            entry(
                    "classpath:dev/idempotency/jdbc/{postgresql,mysql,mariadb,h2}/V1__idempotency.sql",
                    "PostgreSqlMigrationIT and every start on a database read those files"),
            entry(
                    "curl -X POST .../actuator/idempotencyrecords/{bizType}/{recordKey} -H \"$json\" -d '{\"version\":"
                            + " 1767225600000000, \"reason\": \"the ERP is back\"}'",
                    "the version is one that was shown; LetterContractIT and RunbookTest send it"),
            entry(
                    "curl -X POST .../actuator/idempotencyroutes/{bizType} -H \"$json\" -d '{\"reason\": \"the ERP is back\"}'",
                    "there is something to resume only while it is suspended; OperationsTest and RouteBreakerContractIT send it"),
            entry(
                    "for id in $(ask \"$letters?state=open&bizType=create_order&size=100\" | grep -o '\"id\":\"[^\"]*\"' | field id); do",
                    "it would redrive what the page's other lines need; RunbookTest redrives one letter"),
            entry("apt-get install spin gcc", ".ci/run installs and runs it"),
            entry("call 1: claim -> CLAIMED", "a story that docs/model/check tells"),
            entry(
                    "trace 1 3 3 2 3                                          lease, ttl, failures, window, cool-down",
                    "part of the traces that every store follows"),
            entry(
                    "java -jar idempotency-tck-0.1.0-SNAPSHOT.jar conformance --url http://localhost:8080",
                    "MainIT runs the jar, ConformanceIT the rows"),
            entry(
                    "java -jar idempotency-tck-0.1.0-SNAPSHOT.jar storm --url http://localhost:8080 --path /webhooks/orders \\",
                    "MainIT and MainTest give such arguments"),
            entry("-Didempotency.storm.url=https://shop-test.example.org", "RetryStormExtensionTest sets it"));

    @TestFactory
    Stream<DynamicTest> everyBlockIsWhatItSays() {
        return blocks().map(block -> DynamicTest.dynamicTest(block.toString(), () -> check(block)));
    }

    @Test
    void nothingIsExcusedThatIsNotThere() {
        assertThat(blocks().filter(block -> block.kind().isEmpty()).map(Block::firstLine))
                .containsAll(SHOWN.keySet());
    }

    private static Stream<Block> blocks() {
        return Page.all().stream().flatMap(page -> page.blocks().stream());
    }

    private static void check(Block block) throws Exception {
        if (!block.tester().isEmpty()) {
            assertThat(source(block.tester())).contains(block.page().replaceFirst("^docs/", ""));
            return;
        }
        switch (block.kind()) {
            case "java" -> JavaBlocks.check(block);
            case "yaml" -> YamlBlocks.check(block);
            case "xml" -> XmlBlocks.check(block);
            case "json" -> JsonMapper.shared().readTree(block.code());
            case "bash" -> assertThat(CommandsTest.promises(block)).isNotEmpty();
            case "sql" -> assertThat(SqlBlocksIT.statements(block)).isNotEmpty();
            case "" -> assertThat(SHOWN).containsKey(block.firstLine());
            default -> throw new AssertionError("no rule checks blocks of the kind " + block.kind());
        }
    }

    private static String source(String test) throws IOException {
        try (Stream<Path> files = Files.walk(Page.PROJECT)) {
            List<Path> sources = files.filter(file -> file.endsWith(test + ".java"))
                    .filter(file -> file.toString().contains("src/test/java"))
                    .toList();
            assertThat(sources).as("sources of %s", test).hasSize(1);
            return Files.readString(sources.get(0));
        }
    }
}
