// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.SUCCESS;
import static dev.idempotency.jdbc.TestClaims.claim;
import static dev.idempotency.jdbc.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.analytics.configuration.AnalyticsArgs;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.CompositeResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Tables that are made by others, as docs/jdbc.md shows it, beside those that the application has already. */
abstract class MigrationRules {

    private static final String PREFIX = JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final String url;
    private HikariDataSource pool;
    private JdbcSchema schema;

    @TempDir
    private Path directory;

    MigrationRules(String url) {
        this.url = url;
    }

    /** Makes the schema that the URL names, and nothing in it. */
    void makeSchema() {}

    /** Drops it with all that is in it. */
    void dropSchema() {}

    @BeforeEach
    void open() {
        makeSchema();
        pool = TestDatabase.pool(url, 3);
        schema = new JdbcSchema(pool, PREFIX);
        new JdbcTemplate(pool).execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
        assertThat(schema.exists()).isFalse();
    }

    @AfterEach
    void close() {
        pool.close();
        dropSchema();
    }

    @Test
    void flywayRunsTheScriptAndTheOtherOneUndoesIt() {
        Flyway flyway = Flyway.configure()
                .dataSource(pool)
                .locations("classpath:dev/idempotency/jdbc/" + schema.database().vendor())
                .table("idempotency_schema_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();

        flyway.migrate();
        mustWork();
        assertThat(flyway.migrate().migrationsExecuted).isZero();

        new ResourceDatabasePopulator(new ClassPathResource(JdbcSchema.dropScript(schema.database()))).execute(pool);
        assertThat(schema.exists()).isFalse();
    }

    @Test
    void liquibaseRunsTheScriptAndRollsItBack() throws Exception {
        Files.writeString(
                directory.resolve("changelog.xml"),
                """
                <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
                        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                        xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
                                http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
                """
                        + DocumentedBlock.of("xml", "<changeSet")
                                .replace("postgresql", schema.database().vendor())
                        + "</databaseChangeLog>");

        liquibase(liquibase -> liquibase.update(new Contexts()));
        mustWork();
        liquibase(liquibase -> {
            assertThat(liquibase.listUnrunChangeSets(new Contexts(), null)).isEmpty();
            liquibase.rollback(1, "");
        });
        assertThat(schema.exists()).isFalse();
    }

    private interface Work {
        void on(Liquibase liquibase) throws Exception;
    }

    private void liquibase(Work work) throws Exception {
        try (Connection connection = pool.getConnection()) {
            Scope.child(Map.of(AnalyticsArgs.ENABLED.getKey(), false), () -> {
                CompositeResourceAccessor resources = new CompositeResourceAccessor(
                        new ClassLoaderResourceAccessor(), new DirectoryResourceAccessor(directory));
                work.on(new Liquibase("changelog.xml", resources, new JdbcConnection(connection)));
            });
        }
    }

    private void mustWork() {
        assertThat(schema.exists()).isTrue();
        JdbcIdempotencyStore store = new JdbcIdempotencyStore(pool, PREFIX, "shop", TIMEOUT);
        RecordKey key = newKey();
        OwnerToken owner = OwnerToken.random();
        assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
        TransactionRules.mustApply(store.complete(key, owner, SUCCESS));
        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);

        JdbcDeadLetterQueue letters = new JdbcDeadLetterQueue(pool, PREFIX, "shop", DeadLetterLimits.DEFAULTS, TIMEOUT);
        ParkedRequest letter = new ParkedRequest(DeadLetterReason.BREAKER_OPENED, key, 1, Payload.EMPTY);
        assertThat(letters.park(letter).isNew()).isTrue();
        assertThat(letters.find(letter.id())).isNotNull();
    }
}
