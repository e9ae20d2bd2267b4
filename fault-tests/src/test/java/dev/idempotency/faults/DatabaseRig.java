// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.Event.Effect;
import dev.idempotency.faults.history.Event.Seen;
import dev.idempotency.faults.history.History;
import dev.idempotency.jdbc.Database;
import dev.idempotency.jdbc.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * One database server, and applications whose records and effects are in it and committed together, each with a link of its own
 * to it. Closing it ends them all.
 */
final class DatabaseRig implements AutoCloseable {

    private static final int SUCCESS = 1;

    private final Path directory;
    private final Duration lease;
    private final Driver driver = new Driver();
    private final TestDatabase server;
    private final JdbcTemplate jdbc;
    private final List<Node> nodes = new ArrayList<>();

    /** An application and its link to the server. */
    record Node(Instance instance, Link link) {}

    DatabaseRig(Database database, Duration lease) {
        this.directory = Directories.create(database.vendor());
        this.lease = lease;
        this.server = TestDatabase.startProcess(database);
        this.jdbc = new JdbcTemplate(new DriverManagerDataSource(server.url()));
        jdbc.execute("create table effects (id serial primary key, operation varchar(40) not null,"
                + " instance varchar(40) not null, attempt int not null, version bigint not null)");
    }

    Driver driver() {
        return driver;
    }

    TestDatabase server() {
        return server;
    }

    /** Starts another application and does not wait for it. */
    Node startNode() {
        URI target = URI.create(server.url().substring("jdbc:".length()));
        Link link = new Link(target.getPort());
        String url = server.url().replace(target.getHost() + ":" + target.getPort(), "127.0.0.1:" + link.port());
        Instance instance = Instance.start(
                driver,
                directory,
                Map.of(),
                List.of(),
                List.of(
                        "faults.joined=true",
                        "idempotency.store=jdbc",
                        "idempotency.biz-types.effect.transactional=true",
                        "idempotency.defaults.timeout=" + lease.toMillis() + "ms",
                        "idempotency.defaults.breaker.failures=0",
                        "spring.autoconfigure.exclude="
                                + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
                        "spring.datasource.url=" + url + timeouts(),
                        "spring.datasource.hikari.validation-timeout=500",
                        "spring.datasource.hikari.maximum-pool-size=220",
                        "spring.datasource.hikari.minimum-idle=10",
                        "spring.datasource.hikari.connection-timeout=5000",
                        // Thousands of calls fail here, and what becomes of each is in its history.
                        "logging.level.root=error",
                        "logging.level.dev.idempotency=error"));
        Node node = new Node(instance, link);
        nodes.add(node);
        return node;
    }

    /** The applications that serve requests by now. */
    Instance[] ready() {
        return nodes.stream().map(Node::instance).filter(Instance::isReady).toArray(Instance[]::new);
    }

    private String timeouts() {
        boolean inSeconds = server.database() == Database.POSTGRESQL;
        return inSeconds ? "&connectTimeout=1&socketTimeout=3" : "&connectTimeout=1000&socketTimeout=3000";
    }

    /** Writes down the effects that were committed for operations whose name begins so. */
    void count(String prefix, History history) {
        jdbc.query(
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

    /** How many effects of operations whose name begins so have been committed. */
    int committed(String prefix) {
        return jdbc.queryForObject("select count(*) from effects where operation like ?", Integer.class, prefix + "%");
    }

    /** Writes down, for each operation of each history, its effects and what its record says, all of it at one moment. */
    void look(Sweep sweep) {
        Map<String, Integer> effects = new HashMap<>();
        Set<String> succeeded = new HashSet<>();
        jdbc.query(
                "select operation, null as record_key from effects"
                        + " union all select null, record_key from idempotency_record where status = " + SUCCESS,
                row -> {
                    byte[] key = row.getBytes("record_key");
                    if (key == null) {
                        effects.merge(row.getString("operation"), 1, Integer::sum);
                    } else {
                        succeeded.add(driver.operationOf(key));
                    }
                });
        sweep.tell(history -> history.operations()
                .forEach(operation -> history.add(
                        new Seen(operation, effects.getOrDefault(operation, 0), succeeded.contains(operation)))));
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(node -> {
            node.instance().close();
            node.link().close();
        });
        server.stop();
        driver.close();
    }
}
