// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;

/**
 * Runs a script on the connection that all threads share, and gives up after our own time-out: Lettuce's is 60 seconds
 * and serves everything else that the application does with Redis. Only loaded where Lettuce is.
 */
final class LettuceScripting {

    private LettuceScripting() {}

    static boolean isFor(RedisConnection connection) {
        return connection instanceof LettuceConnection;
    }

    static @Nullable List<?> run(
            RedisConnection connection, Duration timeout, Script script, byte[][] keys, byte[][] arguments)
            throws Exception {
        long deadline = System.nanoTime() + timeout.toNanos();
        RedisClusterAsyncCommands<byte[], byte[]> commands = ((LettuceConnection) connection).getNativeConnection();
        try {
            return await(commands.evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments), deadline);
        } catch (RedisNoScriptException e) {
            return await(commands.eval(script.source(), ScriptOutputType.MULTI, keys, arguments), deadline);
        }
    }

    /** Runs a script many times at once; where there is no reply in time, the place is empty and the reason a failure. */
    static List<Optional<Reply>> runEach(
            RedisConnection connection,
            Duration timeout,
            Script script,
            List<ScriptCall> calls,
            List<Exception> failures) {
        long deadline = System.nanoTime() + timeout.toNanos();
        RedisClusterAsyncCommands<byte[], byte[]> commands = ((LettuceConnection) connection).getNativeConnection();
        List<RedisFuture<List<?>>> sent = new ArrayList<>();
        for (ScriptCall call : calls) {
            sent.add(commands.evalsha(script.sha1(), ScriptOutputType.MULTI, call.keys(), call.arguments()));
        }
        List<Optional<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            try {
                replies.add(Optional.of(new Reply(awaitOrLoad(commands, script, calls.get(i), sent.get(i), deadline))));
            } catch (Exception e) {
                failures.add(e);
                replies.add(Optional.empty());
            }
        }
        return replies;
    }

    private static @Nullable List<?> awaitOrLoad(
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            Script script,
            ScriptCall call,
            RedisFuture<List<?>> sent,
            long deadline)
            throws Exception {
        try {
            return await(sent, deadline);
        } catch (RedisNoScriptException e) {
            return await(
                    commands.eval(script.source(), ScriptOutputType.MULTI, call.keys(), call.arguments()), deadline);
        }
    }

    private static @Nullable List<?> await(RedisFuture<List<?>> reply, long deadline) throws Exception {
        try {
            return reply.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        } catch (InterruptedException | TimeoutException e) {
            // What waits in the queue for a connection must not run once nobody listens any more.
            reply.cancel(true);
            throw e;
        }
    }
}
