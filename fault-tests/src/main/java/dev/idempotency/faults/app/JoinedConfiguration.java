// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Effects in the database that the records are in. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("faults.joined")
class JoinedConfiguration {

    @Bean
    EffectLog effectLog(JdbcTemplate jdbc, @Value("${faults.instance}") String instance) {
        return new EffectTable(jdbc, instance);
    }

    @Bean
    CommitHolds commitHolds(Holds holds) {
        return new CommitHolds(holds);
    }
}
