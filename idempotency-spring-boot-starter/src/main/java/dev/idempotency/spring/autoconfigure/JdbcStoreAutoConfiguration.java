// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.jdbc.CleanupListener;
import dev.idempotency.jdbc.JdbcCleanup;
import dev.idempotency.jdbc.JdbcDeadLetterQueue;
import dev.idempotency.jdbc.JdbcIdempotencyStore;
import dev.idempotency.jdbc.JdbcSchema;
import dev.idempotency.spring.metrics.CleanupMeters;
import dev.idempotency.store.IdempotencyStore;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Records in the application's database, if it has one, there is no Redis, and {@code idempotency.store} does not say otherwise.
 */
@AutoConfiguration(
        before = IdempotencyAutoConfiguration.class,
        after = {RedisStoreAutoConfiguration.class, MetricsIdempotencyAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration", // Boot 4
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" // Boot 3
        })
@ConditionalOnClass({JdbcIdempotencyStore.class, DataSource.class, DataSourceUtils.class})
@ConditionalOnBean(DataSource.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@Conditional(JdbcStoreAutoConfiguration.Wanted.class)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class JdbcStoreAutoConfiguration {

    private static final ChosenBean<DataSource> DATA_SOURCE =
            new ChosenBean<>(DataSource.class, "jdbc.data-source", "dataSource");

    @Bean
    JdbcReserve idempotencyJdbcReserve(IdempotencyProperties properties, BeanFactory beans) {
        JdbcProperties jdbc = properties.jdbc();
        return JdbcReserve.of(
                DATA_SOURCE.get(jdbc.dataSource(), beans), jdbc.reservedConnections(), jdbc.queryTimeout());
    }

    @Bean
    JdbcIdempotencyStore idempotencyStore(
            IdempotencyProperties properties, Environment environment, BeanFactory beans, JdbcReserve reserve) {
        JdbcProperties jdbc = properties.jdbc();
        DataSource dataSource = DATA_SOURCE.get(jdbc.dataSource(), beans);
        String namespace = Namespaces.of(properties, environment);
        try {
            return new JdbcIdempotencyStore(
                    dataSource, reserve.dataSource(), jdbc.tablePrefix(), namespace, jdbc.queryTimeout());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(
                    "idempotency.namespace must have 1 to 200 characters without blanks around them, but is "
                            + namespace,
                    e);
        }
    }

    @Bean
    @ConditionalOnMissingBean(DeadLetterQueue.class)
    JdbcDeadLetterQueue idempotencyDeadLetterQueue(
            IdempotencyProperties properties, Environment environment, BeanFactory beans, JdbcReserve reserve) {
        JdbcProperties jdbc = properties.jdbc();
        return new JdbcDeadLetterQueue(
                DATA_SOURCE.get(jdbc.dataSource(), beans),
                reserve.dataSource(),
                jdbc.tablePrefix(),
                Namespaces.of(properties, environment),
                properties.deadLetters().limits(),
                jdbc.queryTimeout());
    }

    @Bean
    @Lazy(false)
    JdbcStoreStartup idempotencyJdbcStoreStartup(
            IdempotencyProperties properties, BeanFactory beans, ObjectProvider<CleanupListener> listeners) {
        JdbcProperties jdbc = properties.jdbc();
        DataSource dataSource = DATA_SOURCE.get(jdbc.dataSource(), beans);
        JdbcCleanup cleanup = new JdbcCleanup(
                dataSource,
                jdbc.tablePrefix(),
                jdbc.queryTimeout(),
                jdbc.cleanup().interval(),
                jdbc.cleanup().batchSize(),
                listeners.orderedStream().toList());
        return new JdbcStoreStartup(new JdbcSchema(dataSource, jdbc.tablePrefix()), cleanup, jdbc);
    }

    /** Meters of the clean-up, if the application has a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        CleanupMeters idempotencyCleanupMeters(MeterRegistry meters) {
            return new CleanupMeters(meters);
        }
    }

    /** A database by name, or by being there. */
    static final class Wanted extends AnyNestedCondition {

        Wanted() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty(name = "idempotency.store", havingValue = "jdbc")
        static final class ByName {}

        @ConditionalOnProperty(name = "idempotency.store", havingValue = "auto", matchIfMissing = true)
        static final class ByBeingThere {}
    }
}
