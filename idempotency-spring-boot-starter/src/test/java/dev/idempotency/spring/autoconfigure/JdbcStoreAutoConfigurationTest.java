// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.when;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.jdbc.JdbcDeadLetterQueue;
import dev.idempotency.jdbc.JdbcIdempotencyStore;
import dev.idempotency.jdbc.JdbcSchema;
import dev.idempotency.key.RecordKey;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.redis.RedisIdempotencyStore;
import dev.idempotency.spring.metrics.CleanupMeters;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.StoreUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class JdbcStoreAutoConfigurationTest {

    private static final RecordKey KEY = RecordKey.builder("order").build();

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(TestApplications.ALL);

    @TempDir
    private Path directory;

    private static DataSource inMemory() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    /** A database that stays, as far as the schema is concerned. */
    private DataSource onDisk() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:file:" + directory.resolve("records"));
        return dataSource;
    }

    private static void assertWorks(ApplicationContext context) {
        IdempotencyStore store = context.getBean(IdempotencyStore.class);
        assertThat(store).isInstanceOf(JdbcIdempotencyStore.class);
        assertThat(store.find(KEY)).isInstanceOf(Lookup.Absent.class);
    }

    private static boolean hasTable(DataSource dataSource) {
        return new JdbcSchema(dataSource, "idempotency_").exists();
    }

    private static void assertStopped(AssertableApplicationContext context, String... words) {
        assertThat(context.getStartupFailure()).isNotNull();
        Throwable cause = context.getStartupFailure();
        while (!(cause instanceof InvalidConfigurationException)) {
            cause = cause.getCause();
            assertThat(cause).isNotNull();
        }
        assertThat(cause.getMessage()).contains(words);
    }

    @Test
    void databaseIsUsedByBeingThere() {
        application
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(IdempotencyStore.class);
                    assertWorks(context);
                });
    }

    @Test
    void deadLettersAreKeptThereAsWellUnlessTheApplicationHasItsOwnQueue() {
        application
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(context -> {
                    DeadLetterQueue queue = context.getBean(DeadLetterQueue.class);
                    assertThat(queue).isInstanceOf(JdbcDeadLetterQueue.class);
                    assertThat(queue.counts()).containsEntry(DeadLetterState.OPEN, 0L);
                });
        DeadLetterQueue own = new InMemoryDeadLetterQueue();
        application
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .withBean(DeadLetterQueue.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(DeadLetterQueue.class)).isSameAs(own));
    }

    @Test
    void databaseIsUsedByName() {
        application
                .withPropertyValues("idempotency.store=jdbc")
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                .run(JdbcStoreAutoConfigurationTest::assertWorks);
    }

    @Test
    void redisComesFirst() {
        application
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RedisIdempotencyStore.class)
                        .doesNotHaveBean(JdbcIdempotencyStore.class)
                        .doesNotHaveBean(JdbcStoreStartup.class));
    }

    @Test
    void databaseIsNotTouchedIfAnotherStoreIsNamedOrOwned() {
        DataSource untouched = mock(DataSource.class);
        IdempotencyStore own = new InMemoryIdempotencyStore(1_000);
        application
                .withBean(DataSource.class, () -> untouched)
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(InMemoryIdempotencyStore.class));
        application
                .withBean(DataSource.class, () -> untouched)
                .withBean(IdempotencyStore.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isSameAs(own));
        application
                .withBean(DataSource.class, () -> untouched)
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IdempotencyStore.class));
        assertThat(mockingDetails(untouched).getInvocations()).isEmpty();
    }

    @Test
    void withoutTheClassesThereIsNoSuchStore() {
        for (String missing : List.of("org.springframework.jdbc", "dev.idempotency.jdbc")) {
            application
                    .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                    .withClassLoader(new FilteredClassLoader(missing))
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(InMemoryIdempotencyStore.class));
        }
    }

    @Test
    void databaseThatIsNamedButNotThereStopsTheStart() {
        application
                .withPropertyValues("idempotency.store=jdbc")
                .run(context -> assertStopped(
                        context, "idempotency.store is jdbc, but the application has no DataSource; add"));
    }

    @Test
    void missingTableStopsTheStartWithWhatToDo() {
        DataSource dataSource = onDisk();
        application
                .withBean(DataSource.class, () -> dataSource)
                .run(context -> assertStopped(
                        context,
                        "the table idempotency_record for idempotency records is missing",
                        "classpath:dev/idempotency/jdbc/h2/V1__idempotency.sql",
                        "idempotency.jdbc.initialize-schema must be always"));
        assertThat(hasTable(dataSource)).isFalse();
    }

    @Test
    void tableIsCreatedInAnyDatabaseIfAskedFor() {
        DataSource dataSource = onDisk();
        for (int start = 0; start < 2; start++) {
            application
                    .withPropertyValues("idempotency.jdbc.initialize-schema=always")
                    .withBean(DataSource.class, () -> dataSource)
                    .run(JdbcStoreAutoConfigurationTest::assertWorks);
        }
        application.withBean(DataSource.class, () -> dataSource).run(JdbcStoreAutoConfigurationTest::assertWorks);
    }

    @Test
    void tableIsNeverCreatedIfAMigrationDoesIt() {
        application
                .withPropertyValues("idempotency.jdbc.initialize-schema=never")
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(context -> assertStopped(context, "the table idempotency_record"));
    }

    @Test
    void migrationRunsBeforeTheTableIsLookedFor() {
        DataSource dataSource = inMemory();
        application
                .withPropertyValues("idempotency.jdbc.initialize-schema=never")
                .withBean(DataSource.class, () -> dataSource)
                .withBean(
                        "zz_migration",
                        InitializingBean.class,
                        () -> () -> new JdbcSchema(dataSource, "idempotency_").create())
                .run(JdbcStoreAutoConfigurationTest::assertWorks);
    }

    @Test
    void tableIsLookedForInApplicationsThatStartLazilyToo() {
        application
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(JdbcStoreAutoConfigurationTest::assertWorks);
    }

    @Test
    void tablesMayHaveAnotherPrefix() {
        DataSource dataSource = inMemory();
        new JdbcTemplate(dataSource).execute("CREATE SCHEMA app");
        application
                .withPropertyValues("idempotency.jdbc.table-prefix=app.once_")
                .withBean(DataSource.class, () -> dataSource)
                .run(context -> {
                    assertWorks(context);
                    assertThat(new JdbcTemplate(dataSource)
                                    .queryForObject("SELECT COUNT(*) FROM app.once_record", Long.class))
                            .isZero();
                });
    }

    @Test
    void databaseThatGivesNoAnswerDoesNotStopTheStart() {
        JdbcDataSource absent = new JdbcDataSource();
        absent.setURL("jdbc:h2:tcp://localhost:1/nothing");
        application
                .withBean(DataSource.class, () -> absent)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(JdbcIdempotencyStore.class));
    }

    @Test
    void unknownDatabaseStopsTheStart() {
        application
                .withBean(DataSource.class, () -> new Renamed(inMemory()))
                .run(context -> assertStopped(
                        context, "the DataSource leads to Oracle; idempotency.store must be redis or memory"));
    }

    @Test
    void ofTwoDataSourcesThePrimaryOrTheNamedOrTheConventionalOneIsUsed() {
        DataSource used = inMemory();
        DataSource other = mock(DataSource.class);
        application
                .withBean("a", DataSource.class, () -> used, definition -> definition.setPrimary(true))
                .withBean("b", DataSource.class, () -> other)
                .run(JdbcStoreAutoConfigurationTest::assertWorks);
        application
                .withPropertyValues("idempotency.jdbc.data-source=a")
                .withBean("a", DataSource.class, () -> used)
                .withBean("b", DataSource.class, () -> other, definition -> definition.setPrimary(true))
                .run(JdbcStoreAutoConfigurationTest::assertWorks);
        application
                .withBean("dataSource", DataSource.class, () -> used)
                .withBean("b", DataSource.class, () -> other)
                .run(JdbcStoreAutoConfigurationTest::assertWorks);
    }

    @Test
    void ofTwoDataSourcesThatNothingTellsApartNoneIsUsed() {
        application
                .withBean("a", DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .withBean("b", DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(context -> assertStopped(context, "idempotency.jdbc.data-source must name the one to use"));
        application
                .withPropertyValues("idempotency.jdbc.data-source=c")
                .withBean("a", DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(context ->
                        assertStopped(context, "idempotency.jdbc.data-source must name a DataSource bean, but is c"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc.table-prefix=a-b | jdbc.table-prefix must have letters, digits and underscores only, behind a schema and a dot if need be, but is a-b",
                "jdbc.query-timeout=500ms | jdbc.query-timeout must be from 1s to 30s, but is PT0.5S",
                "jdbc.query-timeout=31s | jdbc.query-timeout must be from 1s to 30s, but is PT31S",
                "jdbc.reserved-connections=-1 | jdbc.reserved-connections must be from 0 to 10, but is -1",
                "jdbc.reserved-connections=11 | jdbc.reserved-connections must be from 0 to 10, but is 11",
                "jdbc.cleanup.interval=0s | jdbc.cleanup.interval must be positive and at most 365 days, but is PT0S",
                "jdbc.cleanup.batch-size=0 | jdbc.cleanup.batch-size must be from 1 to 10000, but is 0",
                "jdbc.cleanup.batch-size=10001 | jdbc.cleanup.batch-size must be from 1 to 10000, but is 10001",
            })
    void aPropertyThatBreaksItsRuleIsNamed(String property, String complaint) {
        application
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .withPropertyValues("idempotency." + property)
                .run(context -> assertStopped(context, "idempotency." + complaint));
    }

    @Test
    void claimsAreRenewedWhileTheApplicationsPoolIsUsedUp() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        pool.setMaximumPoolSize(1);
        pool.setConnectionTimeout(300);
        Renewal renewal = new Renewal(KEY, OwnerToken.random(), Duration.ofHours(1), Duration.ofHours(1));
        application.withBean(DataSource.class, () -> pool).run(context -> {
            assertThat(context).hasSingleBean(DataSource.class);
            IdempotencyStore store = context.getBean(IdempotencyStore.class);
            try (Connection used = pool.getConnection()) {
                assertThat(used.isClosed()).isFalse();
                assertThat(store.renew(List.of(renewal))).containsExactly(RenewalResult.LOST);
            }
        });
        HikariDataSource other = new HikariDataSource();
        other.setJdbcUrl(pool.getJdbcUrl());
        other.setMaximumPoolSize(1);
        other.setConnectionTimeout(300);
        application
                .withPropertyValues("idempotency.jdbc.reserved-connections=0")
                .withBean(DataSource.class, () -> other)
                .run(context -> {
                    IdempotencyStore store = context.getBean(IdempotencyStore.class);
                    try (Connection used = other.getConnection()) {
                        assertThat(used.isClosed()).isFalse();
                        assertThatThrownBy(() -> store.renew(List.of(renewal)))
                                .isInstanceOf(StoreUnavailableException.class);
                    }
                });
    }

    @Test
    void namespaceMustFitItsColumn() {
        application
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .withPropertyValues("spring.application.name=" + "x".repeat(201))
                .run(context -> assertStopped(context, "idempotency.namespace must have 1 to 200 characters"));
    }

    @Test
    void cleanupRunsByDefaultAndIsCounted() {
        application
                .withPropertyValues("idempotency.jdbc.cleanup.interval=10ms")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(context -> {
                    assertThat(context).hasSingleBean(CleanupMeters.class);
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    await().until(() -> meters.find("idempotency.cleanup.runs")
                                    .tag("outcome", "done")
                                    .timer()
                            != null);
                    assertThat(meters.get("idempotency.cleanup.records")
                                    .counter()
                                    .count())
                            .isZero();
                });
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("idempotency-cleanup")));
    }

    @Test
    void cleanupCanBeLeftToAnotherInstance() {
        application
                .withPropertyValues("idempotency.jdbc.cleanup.enabled=false")
                .withBean(DataSource.class, JdbcStoreAutoConfigurationTest::inMemory)
                .run(context -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().equals("idempotency-cleanup")));
    }

    @Test
    void dataSourcesOfBothGenerationsComeFirst() {
        AutoConfiguration annotation =
                AnnotatedElementUtils.findMergedAnnotation(JdbcStoreAutoConfiguration.class, AutoConfiguration.class);
        assertThat(annotation.afterName())
                .containsExactlyInAnyOrder(
                        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                        "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration");
    }

    /** Says that it is another product. */
    private static final class Renamed extends DelegatingDataSource {

        Renamed(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            Connection renamed = mock(Connection.class, delegatesTo(connection));
            DatabaseMetaData metaData = mock(DatabaseMetaData.class);
            when(metaData.getDatabaseProductName()).thenReturn("Oracle");
            doReturn(metaData).when(renamed).getMetaData();
            return renamed;
        }
    }
}
