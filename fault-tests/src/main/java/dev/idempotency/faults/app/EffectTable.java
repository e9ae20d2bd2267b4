// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;

/** Effects as rows, which are there when the transaction that the caller is in has been committed. */
final class EffectTable implements EffectLog {

    private final JdbcTemplate jdbc;
    private final String instance;

    EffectTable(JdbcTemplate jdbc, String instance) {
        this.jdbc = jdbc;
        this.instance = instance;
    }

    @Override
    public long append(String operation, int attempt, long version) {
        String insert = "insert into effects (operation, instance, attempt, version) values (?, ?, ?, ?) returning id";
        return Objects.requireNonNull(jdbc.queryForObject(insert, Long.class, operation, instance, attempt, version));
    }
}
