// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Steps that count only once enough replicas have them. A step that too few have may well be carried out on the primary: it
 * is then reported as one that got no answer, so that whoever asked for a claim gives it back.
 */
final class ReplicatedSteps implements AutoCloseable {

    private final ScriptRunner scripts;
    private final RedisConnectionFactory connections;
    private final ReplicaWait wait;
    private final @Nullable LettuceReplication lettuce;

    ReplicatedSteps(ScriptRunner scripts, RedisConnectionFactory connections, ReplicaWait wait, Duration timeout) {
        this.scripts = scripts;
        this.connections = connections;
        this.wait = wait;
        this.lettuce = ScriptRunner.isLettucePresent() && LettuceReplication.isFor(connections)
                ? new LettuceReplication(connections, wait, timeout)
                : null;
    }

    /**
     * A step's reply and how many replicas had confirmed what it wrote; -1 if the connection changed meanwhile, so that
     * nobody knows.
     */
    record Replicated(Reply reply, long replicas) {}

    /**
     * Runs a script that writes if its first word is one of the given ones.
     *
     * @throws StoreUnavailableException if there was no reply, or too few replicas have what was written
     */
    Reply run(Script script, String wroteIf, byte[] key, byte[]... arguments) {
        Replicated replicated;
        try {
            replicated = lettuce != null
                    ? lettuce.run(script, key, arguments)
                    : runOnConnectionOfItsOwn(script, key, arguments);
        } catch (Exception e) {
            throw scripts.unavailable(script, e);
        }
        if (replicated.reply().word(0).equals(wroteIf) && replicated.replicas() < wait.replicas()) {
            throw new StoreUnavailableException(
                    "the step '" + script.name() + "' needs " + wait.replicas() + " replicas of Redis, but "
                            + (replicated.replicas() < 0
                                    ? "the connection changed"
                                    : replicated.replicas() + " have it"),
                    null);
        }
        return replicated.reply();
    }

    private Replicated runOnConnectionOfItsOwn(Script script, byte[] key, byte[][] arguments) {
        try (RedisConnection connection = connections.getConnection()) {
            if (connection instanceof RedisClusterConnection) {
                throw new IllegalStateException("waiting for replicas in a Cluster needs Lettuce");
            }
            List<?> elements =
                    ScriptRunner.runBlocking(connection.scriptingCommands(), script, new byte[][] {key}, arguments);
            Object replicas = connection.execute(
                    "WAIT", text(wait.replicas()), text(wait.timeout().toMillis()));
            return new Replicated(new Reply(elements), replicas instanceof Long count ? count : -1);
        }
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        if (lettuce != null) {
            lettuce.close();
        }
    }
}
