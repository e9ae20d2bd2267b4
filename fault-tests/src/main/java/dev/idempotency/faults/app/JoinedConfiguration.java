// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import dev.idempotency.jdbc.JdbcIdempotencyStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Records and effects in one database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("faults.joined")
class JoinedConfiguration {

    @Bean
    JdbcIdempotencyStore idempotencyStore(DataSource dataSource) {
        return new JdbcIdempotencyStore(dataSource, "faults");
    }

    @Bean
    EffectLog effectLog(JdbcTemplate jdbc, @Value("${faults.instance}") String instance) {
        return new EffectTable(jdbc, instance);
    }

    @Bean
    CommitHolds commitHolds(Holds holds) {
        return new CommitHolds(holds);
    }
}
