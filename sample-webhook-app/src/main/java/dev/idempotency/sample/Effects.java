// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;

/** The effects in the database; a plain repository that knows nothing of repeats. */
@Repository
public class Effects {

    private final JdbcClient jdbc;

    Effects(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Effect add(String bizType, String operation, String detail) {
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS);
        GeneratedKeyHolder id = new GeneratedKeyHolder();
        jdbc.sql("insert into effect (biz_type, operation, detail, happened_at) values (?, ?, ?, ?)")
                .params(bizType, operation, detail, now)
                .update(id, "id");
        long key = Objects.requireNonNull(id.getKeyAs(Long.class), "the database generates the id");
        return new Effect(key, bizType, operation, detail, now);
    }

    Optional<Effect> find(long id) {
        return jdbc.sql("select * from effect where id = ?")
                .param(id)
                .query(Effect.class)
                .optional();
    }

    /** How many effects there are, repeats included. */
    public long count() {
        return jdbc.sql("select count(*) from effect").query(Long.class).single();
    }

    /** How many effects there are of one bizType, repeats included. */
    public long count(String bizType) {
        return jdbc.sql("select count(*) from effect where biz_type = ?")
                .param(bizType)
                .query(Long.class)
                .single();
    }

    /** How often each operation whose name begins so has had its effect. */
    Map<String, Long> counts(String bizType, String prefix) {
        Map<String, Long> counts = new HashMap<>();
        jdbc.sql("select operation, count(*) from effect where biz_type = ? and operation like ? group by operation")
                .params(bizType, prefix + "%")
                .query(row -> {
                    counts.put(row.getString(1), row.getLong(2));
                });
        return counts;
    }

    /** How many effects are more than the one that each operation should have had. */
    public long duplicates() {
        return jdbc.sql(
                        "select coalesce(sum(n - 1), 0) from (select count(*) n from effect group by biz_type, operation)")
                .query(Long.class)
                .single();
    }

    /** The same for one bizType. */
    public long duplicates(String bizType) {
        return jdbc.sql("select count(*) - count(distinct operation) from effect where biz_type = ?")
                .param(bizType)
                .query(Long.class)
                .single();
    }
}
