// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.redis.ReplicatedSteps.Replicated;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts over Lettuce and waits for replicas on the very connection that wrote, as {@code WAIT} speaks of that one
 * alone. It stops everything behind it on its connection, so these are a few of our own, never the one that the
 * application shares. Only loaded where Lettuce is.
 *
 * <p>Lettuce reconnects by itself and sends again what has no reply yet. On a new connection {@code WAIT} would confirm what
 * that connection has written, which is nothing; so the connection's id is asked for before and after.
 */
final class LettuceReplication implements AutoCloseable {

    private static final int CONNECTIONS = 8;

    private final ReplicaWait wait;
    private final long timeoutNanos;
    private final AtomicInteger turn = new AtomicInteger();

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type parameters
    private final Attempted<StatefulConnection<byte[], byte[]>>[] lanes = new Attempted[CONNECTIONS];

    LettuceReplication(RedisConnectionFactory connections, ReplicaWait wait, Duration timeout) {
        this.wait = wait;
        this.timeoutNanos = timeout.plus(wait.timeout()).toNanos();
        LettuceConnectionFactory factory = (LettuceConnectionFactory) connections;
        for (int i = 0; i < CONNECTIONS; i++) {
            lanes[i] = new Attempted<>(() -> open(factory.getRequiredNativeClient()));
        }
    }

    static boolean isFor(RedisConnectionFactory connections) {
        return connections instanceof LettuceConnectionFactory;
    }

    private static StatefulConnection<byte[], byte[]> open(AbstractRedisClient client) {
        return client instanceof RedisClusterClient cluster
                ? cluster.connect(ByteArrayCodec.INSTANCE)
                : ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
    }

    Replicated run(Script script, byte[] key, byte[][] arguments) throws Exception {
        int lane = Math.floorMod(turn.getAndIncrement(), CONNECTIONS);
        StatefulConnection<byte[], byte[]> connection = lanes[lane].get(timeoutNanos);
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            return runOn(connection, script, key, arguments, deadline);
        } catch (RedisCommandExecutionException e) {
            if (LettuceRecovery.isReadOnly(e)) {
                // A replica by now, to which the name it was reached by may not point any more.
                close();
            }
            throw e;
        }
    }

    private Replicated runOn(
            StatefulConnection<byte[], byte[]> connection, Script script, byte[] key, byte[][] arguments, long deadline)
            throws Exception {
        if (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster) {
            return ClusterRedirects.run(
                    cluster, key, deadline, (node, asks) -> runOn(node, asks, script, key, arguments, deadline));
        }
        return runOn((StatefulRedisConnection<byte[], byte[]>) connection, false, script, key, arguments, deadline);
    }

    private Replicated runOn(
            StatefulRedisConnection<byte[], byte[]> connection,
            boolean asks,
            Script script,
            byte[] key,
            byte[][] arguments,
            long deadline)
            throws Exception {
        try {
            return send(connection, asks, script, true, key, arguments).await(deadline);
        } catch (RedisNoScriptException e) {
            return send(connection, asks, script, false, key, arguments).await(deadline);
        }
    }

    private Sent send(
            StatefulRedisConnection<byte[], byte[]> connection,
            boolean asks,
            Script script,
            boolean byDigest,
            byte[] key,
            byte[][] arguments) {
        RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        byte[][] keys = {key};
        // Other threads' commands must not come between, or they would take what ASKING is meant for.
        synchronized (connection) {
            RedisFuture<Long> before = commands.clientId();
            RedisFuture<?> asking = asks ? commands.asking() : before;
            RedisFuture<List<?>> reply = byDigest
                    ? commands.evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments)
                    : commands.eval(script.source(), ScriptOutputType.MULTI, keys, arguments);
            RedisFuture<Long> replicas =
                    commands.waitForReplication(wait.replicas(), wait.timeout().toMillis());
            return new Sent(before, asking, reply, replicas, commands.clientId());
        }
    }

    private record Sent(
            RedisFuture<Long> before,
            RedisFuture<?> asking,
            RedisFuture<List<?>> reply,
            RedisFuture<Long> replicas,
            RedisFuture<Long> after) {

        Replicated await(long deadline) throws Exception {
            try {
                Reply answer = new Reply(get(reply, deadline));
                long confirmed = get(replicas, deadline);
                boolean sameConnection = get(before, deadline).equals(get(after, deadline));
                return new Replicated(answer, sameConnection ? confirmed : -1);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            } finally {
                // What waits in the queue for a connection must not run once nobody listens any more.
                reply.cancel(true);
                replicas.cancel(true);
                before.cancel(true);
                asking.cancel(true);
                after.cancel(true);
            }
        }

        private static <T> T get(RedisFuture<T> future, long deadline) throws Exception {
            return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close() {
        for (Attempted<StatefulConnection<byte[], byte[]>> lane : lanes) {
            StatefulConnection<byte[], byte[]> opened = lane.take();
            if (opened != null) {
                opened.close();
            }
        }
    }
}
