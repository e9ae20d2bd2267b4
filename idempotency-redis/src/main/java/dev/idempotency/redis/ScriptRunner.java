// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts, each as one command on keys of one slot, over any driver that spring-data-redis knows. May be called from any
 * thread.
 */
final class ScriptRunner {

    private final RedisConnectionFactory connections;
    private final Duration timeout;
    private final boolean lettucePresent = isLettucePresent();
    private final Attempted<Boolean> firstConnection;
    private final @Nullable LettuceRecovery recovery;

    ScriptRunner(RedisConnectionFactory connections, Duration timeout) {
        this.connections = connections;
        this.timeout = timeout;
        this.firstConnection = new Attempted<>(() -> {
            connections.getConnection().close();
            return true;
        });
        this.recovery = lettucePresent && connections instanceof LettuceConnectionFactory lettuce
                ? new LettuceRecovery(lettuce)
                : null;
    }

    /**
     * Runs a script.
     *
     * @throws StoreUnavailableException if there was no reply; the script may or may not have run
     */
    Reply run(Script script, byte[] key, byte[]... arguments) {
        return run(script, new byte[][] {key}, arguments);
    }

    /** The same for a script on several keys, which a Cluster must keep in one slot. */
    Reply run(Script script, byte[][] keys, byte[][] arguments) {
        try {
            firstConnection.get(timeout.toNanos());
        } catch (Exception e) {
            throw unavailable(script, e);
        }
        try (RedisConnection connection = connections.getConnection()) {
            if (lettucePresent && LettuceScripting.isFor(connection)) {
                return new Reply(LettuceScripting.run(connection, timeout, script, keys, arguments));
            }
            return new Reply(runBlocking(connection.scriptingCommands(), script, keys, arguments));
        } catch (Exception e) {
            throw unavailable(script, e);
        }
    }

    /**
     * Runs a script many times, as far as possible at once, each time for itself.
     *
     * @return the replies in the same order; empty where there was none, so that the script may or may not have run
     * @throws StoreUnavailableException if there was none at all
     */
    List<Optional<Reply>> runEach(Script script, List<ScriptCall> calls) {
        if (calls.isEmpty()) {
            return List.of();
        }
        List<Optional<Reply>> replies = new ArrayList<>();
        List<Exception> failures = new ArrayList<>();
        try {
            firstConnection.get(timeout.toNanos());
            runEach(script, calls, replies, failures);
        } catch (Exception e) {
            failures.add(e);
        }
        if (!failures.isEmpty()) {
            StoreUnavailableException failure = unavailable(script, failures.get(0));
            if (replies.stream().noneMatch(Optional::isPresent)) {
                throw failure;
            }
        }
        while (replies.size() < calls.size()) {
            replies.add(Optional.empty());
        }
        return replies;
    }

    private void runEach(
            Script script, List<ScriptCall> calls, List<Optional<Reply>> replies, List<Exception> failures) {
        try (RedisConnection connection = connections.getConnection()) {
            if (lettucePresent && LettuceScripting.isFor(connection)) {
                replies.addAll(LettuceScripting.runEach(connection, timeout, script, calls, failures));
                return;
            }
            for (ScriptCall call : calls) {
                List<?> elements = runBlocking(connection.scriptingCommands(), script, call.keys(), call.arguments());
                replies.add(Optional.of(new Reply(elements)));
            }
        }
    }

    StoreUnavailableException unavailable(Script script, Exception cause) {
        if (recovery != null) {
            recovery.after(cause);
        }
        if (hasCause(cause, InterruptedException.class)) {
            Thread.currentThread().interrupt();
        }
        return new StoreUnavailableException("Redis gave no answer to the step '" + script.name() + "'", cause);
    }

    static @Nullable List<?> runBlocking(
            RedisScriptingCommands commands, Script script, byte[][] keys, byte[][] arguments) {
        byte[][] keysAndArguments = Arrays.copyOf(keys, keys.length + arguments.length);
        System.arraycopy(arguments, 0, keysAndArguments, keys.length, arguments.length);
        try {
            return commands.evalSha(script.sha1(), ReturnType.MULTI, keys.length, keysAndArguments);
        } catch (RuntimeException e) {
            if (!saysNoScript(e)) {
                throw e;
            }
            return commands.eval(script.source(), ReturnType.MULTI, keys.length, keysAndArguments);
        }
    }

    /** Each driver has its own exception for it; the server's word is the same. */
    private static boolean saysNoScript(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at.getMessage() != null && at.getMessage().contains("NOSCRIPT")) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasCause(Throwable thrown, Class<? extends Throwable> type) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return true;
            }
        }
        return false;
    }

    static boolean isLettucePresent() {
        try {
            Class.forName("io.lettuce.core.RedisFuture", false, ScriptRunner.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
