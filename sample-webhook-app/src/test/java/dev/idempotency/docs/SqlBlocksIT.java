// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.jdbc.Database;
import dev.idempotency.jdbc.JdbcSchema;
import dev.idempotency.jdbc.TestDatabase;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** SQL runs on PostgreSQL, page by page, in a schema that has our tables. */
class SqlBlocksIT {

    @Test
    void everyStatementRuns() {
        try (HikariDataSource pool = TestDatabase.shared(Database.POSTGRESQL).pool(1)) {
            assertThat(Page.all()).allSatisfy(page -> {
                List<Block> blocks = page.blocks().stream()
                        .filter(block -> block.follows("sql"))
                        .toList();
                if (!blocks.isEmpty()) {
                    run(blocks, new JdbcTemplate(pool));
                }
            });
        }
    }

    private static void run(List<Block> blocks, JdbcTemplate jdbc) {
        jdbc.execute("CREATE SCHEMA IF NOT EXISTS documentation");
        jdbc.execute("SET search_path TO documentation");
        try {
            new JdbcSchema(jdbc.getDataSource(), "documentation.idempotency_").create();
            for (Block block : blocks) {
                for (String statement : statements(block)) {
                    jdbc.execute(statement);
                }
            }
        } finally {
            jdbc.execute("DROP SCHEMA documentation CASCADE");
        }
    }

    static List<String> statements(Block block) {
        return Arrays.stream(block.code().split(";\\s*\\n"))
                .filter(statement -> statement.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("--")))
                .toList();
    }
}
