// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.concurrent.TimeUnit;

/**
 * Finds the connection to the node that has a key's slot, and follows where that node points to. Lettuce does the same for
 * single commands, but not so that a second command goes out on the same connection. Only loaded where Lettuce is.
 */
final class ClusterRedirects {

    private static final int MAX_REDIRECTS = 5;

    private ClusterRedirects() {}

    /** What is done on a node. */
    interface Step<R> {
        R on(StatefulRedisConnection<byte[], byte[]> node, boolean asks) throws Exception;
    }

    static <R> R run(
            StatefulRedisClusterConnection<byte[], byte[]> cluster, byte[] key, long deadlineNanos, Step<R> step)
            throws Exception {
        int slot = SlotHash.getSlot(key);
        RedisClusterNode master = cluster.getPartitions().getMasterBySlot(slot);
        if (master == null) {
            throw new IllegalStateException("no node of the Cluster is known to have slot " + slot);
        }
        StatefulRedisConnection<byte[], byte[]> node =
                within(cluster, master.getUri().getHost(), master.getUri().getPort(), deadlineNanos);
        boolean asks = false;
        for (int redirects = 0; ; redirects++) {
            try {
                return step.on(node, asks);
            } catch (RedisCommandExecutionException e) {
                String[] words = String.valueOf(e.getMessage()).split(" ", -1);
                boolean pointsElsewhere = words.length >= 3 && (words[0].equals("MOVED") || words[0].equals("ASK"));
                if (!pointsElsewhere || redirects == MAX_REDIRECTS) {
                    throw e;
                }
                asks = words[0].equals("ASK");
                int colon = words[2].lastIndexOf(':');
                node = within(
                        cluster,
                        words[2].substring(0, colon),
                        Integer.parseInt(words[2].substring(colon + 1)),
                        deadlineNanos);
            }
        }
    }

    private static StatefulRedisConnection<byte[], byte[]> within(
            StatefulRedisClusterConnection<byte[], byte[]> cluster, String host, int port, long deadlineNanos)
            throws Exception {
        return cluster.getConnectionAsync(host, port).get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}
