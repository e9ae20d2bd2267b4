// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Looks whether a server, or every primary of a Cluster, is fit to keep records, by {@code INFO} alone. Changes nothing.
 * May be used from any thread.
 */
public final class RedisServerCheck {

    private final RedisConnectionFactory connections;
    private final int waitReplicas;

    /**
     * A check.
     *
     * @param waitReplicas how many replicas the store waits for; 0 if it does not
     */
    public RedisServerCheck(RedisConnectionFactory connections, int waitReplicas) {
        this.connections = connections;
        this.waitReplicas = waitReplicas;
    }

    /**
     * What there is to say, one sentence each.
     *
     * @param refusals why the server cannot be used at all
     * @param concerns what may lose records, or what could not be seen
     */
    public record Findings(List<String> refusals, List<String> concerns) {

        public Findings {
            refusals = List.copyOf(refusals);
            concerns = List.copyOf(concerns);
        }
    }

    /**
     * Asks the server. May take as long as the driver takes to connect and to give up.
     *
     * @throws StoreUnavailableException if there is no connection to the server
     */
    public Findings check() {
        RedisConnection opened;
        try {
            opened = connections.getConnection();
        } catch (RuntimeException e) {
            throw new StoreUnavailableException("Redis cannot be reached", e);
        }
        try (RedisConnection connection = opened) {
            mustAnswer(connection);
            return judged(connection);
        }
    }

    private static void mustAnswer(RedisConnection connection) {
        try {
            connection.ping();
        } catch (RuntimeException e) {
            // Whoever may not say PING has been answered all the same.
            if (!isRefusal(e)) {
                throw new StoreUnavailableException("Redis gives no answer", e);
            }
        }
    }

    private Findings judged(RedisConnection connection) {
        Set<String> refusals = new LinkedHashSet<>();
        Set<String> concerns = new LinkedHashSet<>();
        try {
            for (Properties info : infos(connection)) {
                ServerInfo server = new ServerInfo(info);
                refusals.addAll(server.refusals());
                concerns.addAll(server.concerns(waitReplicas));
            }
        } catch (RuntimeException e) {
            if (!isRefusal(e)) {
                throw new StoreUnavailableException("Redis gave no answer to INFO", e);
            }
            concerns.add(
                    "Redis does not let this user say INFO: its version, eviction, persistence and replicas were not"
                            + " checked.");
        }
        return new Findings(List.copyOf(refusals), List.copyOf(concerns));
    }

    private static List<Properties> infos(RedisConnection connection) {
        List<Properties> infos = new ArrayList<>();
        if (connection instanceof RedisClusterConnection cluster) {
            for (RedisClusterNode node : cluster.clusterGetNodes()) {
                if (node.isMaster() && !node.isMarkedAsFail()) {
                    infos.add(orEmpty(cluster.serverCommands().info(node)));
                }
            }
        } else {
            infos.add(orEmpty(connection.serverCommands().info()));
        }
        return infos;
    }

    private static Properties orEmpty(@Nullable Properties info) {
        return info == null ? new Properties() : info;
    }

    /** The server has answered, but not with what was asked for: no permission, or no such command. */
    private static boolean isRefusal(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            String message = at.getMessage();
            if (message != null && (message.contains("NOPERM") || message.contains("ERR "))) {
                return true;
            }
        }
        return false;
    }
}
