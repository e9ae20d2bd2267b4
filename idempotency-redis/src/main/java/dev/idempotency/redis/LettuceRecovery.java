// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Looks for the new primary where Lettuce does not by itself: in a Cluster whose client was not told to refresh its view, and
 * behind a name that has moved while the old server, now a replica, keeps its connections. At most once a second. Only
 * loaded where Lettuce is.
 */
final class LettuceRecovery {

    private static final Logger log = LoggerFactory.getLogger(LettuceRecovery.class);
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final LettuceConnectionFactory connections;
    private final AtomicLong notBeforeNanos = new AtomicLong(System.nanoTime());

    LettuceRecovery(LettuceConnectionFactory connections) {
        this.connections = connections;
    }

    /** Does what may help after a step that failed. */
    void after(Exception failure) {
        boolean isCluster = connections.isClusterAware();
        if (!isCluster && !isReadOnly(failure)) {
            return;
        }
        long now = System.nanoTime();
        long notBefore = notBeforeNanos.get();
        if (now - notBefore < 0 || !notBeforeNanos.compareAndSet(notBefore, now + INTERVAL_NANOS)) {
            return;
        }
        try {
            if (connections.getNativeClient() instanceof RedisClusterClient cluster) {
                cluster.refreshPartitionsAsync()
                        .whenComplete((done, thrown) -> log.debug("The Cluster's nodes were asked for.", thrown));
            } else if (!isCluster) {
                leaveReplica();
            }
        } catch (RuntimeException e) {
            log.debug("Nothing could be done about a failed step.", e);
        }
    }

    /** Has the server close the shared connection; Lettuce opens it again, to where its name points by now. */
    private void leaveReplica() {
        try (RedisConnection connection = connections.getConnection()) {
            RedisClusterAsyncCommands<byte[], byte[]> commands = ((LettuceConnection) connection).getNativeConnection();
            commands.quit()
                    .whenComplete((done, thrown) -> log.debug("A server that became a replica was left.", thrown));
        }
    }

    static boolean isReadOnly(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at.getMessage() != null && at.getMessage().contains("READONLY")) {
                return true;
            }
        }
        return false;
    }
}
