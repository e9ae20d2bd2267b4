// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.Event.Effect;
import dev.idempotency.faults.history.History;
import dev.idempotency.jdbc.JdbcIdempotencyStore;
import dev.idempotency.jdbc.JdbcSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * One PostgreSQL server, and applications whose records and effects are in it and committed together, each with a link of its
 * own to it. Closing it ends them all.
 */
final class PostgresRig implements AutoCloseable {

    private final Path directory = Directories.create("postgres");
    private final Driver driver = new Driver();
    private final PostgresServer server = new PostgresServer(directory);
    private final List<Node> nodes = new ArrayList<>();

    /** An application and its link to the server. */
    record Node(Instance instance, Link link) {}

    PostgresRig() {
        new JdbcSchema(server.dataSource(), JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX).create();
        new JdbcTemplate(server.dataSource()).execute("""
                        create table effects (
                            id bigserial primary key,
                            operation text not null,
                            instance text not null,
                            attempt int not null,
                            version bigint not null
                        )
                        """);
    }

    Driver driver() {
        return driver;
    }

    PostgresServer server() {
        return server;
    }

    /** Starts another application and does not wait for it. */
    Node startNode() {
        Link link = new Link(server.port());
        Instance instance = Instance.start(
                driver,
                directory,
                Map.of(),
                List.of(),
                List.of(
                        "faults.joined=true",
                        "idempotency.biz-types.effect.transactional=true",
                        "idempotency.defaults.timeout=" + Settings.LEASE.toMillis() + "ms",
                        "idempotency.defaults.breaker.failures=0",
                        "spring.autoconfigure.exclude="
                                + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:" + link.port()
                                + "/postgres?connectTimeout=2&socketTimeout=3",
                        "spring.datasource.username=postgres",
                        "spring.datasource.hikari.validation-timeout=1000",
                        "spring.datasource.hikari.maximum-pool-size=60",
                        "spring.datasource.hikari.minimum-idle=40",
                        "spring.datasource.hikari.connection-timeout=10000"));
        Node node = new Node(instance, link);
        nodes.add(node);
        return node;
    }

    /** Writes down the effects that were committed for operations whose name begins so. */
    void count(String prefix, History history) {
        new JdbcTemplate(server.dataSource())
                .query(
                        "select id, operation, instance, attempt, version from effects where operation like ? order by id",
                        row -> {
                            history.add(new Effect(
                                    row.getString("operation"),
                                    row.getString("instance"),
                                    row.getLong("id"),
                                    row.getInt("attempt"),
                                    row.getLong("version")));
                        },
                        prefix + "%");
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(node -> {
            node.instance().close();
            node.link().close();
        });
        server.close();
        driver.close();
    }
}
