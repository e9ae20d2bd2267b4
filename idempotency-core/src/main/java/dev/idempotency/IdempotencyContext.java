// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What the running code may know and say of the attempt that it is part of. It belongs to the thread that the attempt was
 * begun on; code on another thread sees it only through {@link #wrap}. One context may be used from several threads.
 *
 * <p>Where one protected operation calls another, the inner one's context hides the outer one's until it has returned.
 */
public final class IdempotencyContext {

    private static final ThreadLocal<@Nullable IdempotencyContext> CURRENT = new ThreadLocal<>();

    private final Execution execution;

    IdempotencyContext(Execution execution) {
        this.execution = execution;
    }

    /** The attempt that this thread works on; empty where nothing is protected, or the store gave no answer. */
    public static Optional<IdempotencyContext> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** The operation. */
    public RecordKey key() {
        return execution.key();
    }

    /** How many attempts there have been at the operation, this one included. */
    public int attempt() {
        return execution.attempts();
    }

    /** The fencing number: greater than that of every earlier attempt at the same operation. */
    public long version() {
        return execution.version();
    }

    /**
     * A key for a call to another system, the same in every attempt at this operation.
     *
     * @param step what is called, of any content; another step of the operation gets another key
     * @return 64 hexadecimal digits, from which neither the operation's key nor the step can be told
     */
    public String derivedKey(String step) {
        return RecordKey.builder(key().bizType())
                .part("operation", key().hex())
                .part("step", step)
                .build()
                .hex();
    }

    /** Leaves no record if this attempt succeeds: the next repeat runs again. Has no effect once the attempt has ended. */
    public void doNotStore() {
        execution.doNotStore();
    }

    /**
     * Lets this attempt's answer live for another time than the policy says. Has no effect once the attempt has ended.
     *
     * @param ttl how long repeats are answered from the end of the attempt, positive, up to {@link IdempotencyPolicy#MAX_TTL}
     * @throws IllegalArgumentException if it is not
     */
    public void storeFor(Duration ttl) {
        if (ttl.isZero() || ttl.isNegative() || ttl.compareTo(IdempotencyPolicy.MAX_TTL) > 0) {
            throw new IllegalArgumentException(
                    "an answer's ttl must be positive and at most " + IdempotencyPolicy.MAX_TTL + ", but is " + ttl);
        }
        execution.storeFor(ttl);
    }

    /** The task, with this context on whatever thread runs it. */
    public Runnable wrap(Runnable task) {
        return () -> {
            Scope scope = open();
            try {
                task.run();
            } finally {
                scope.close();
            }
        };
    }

    /** The task, with this context on whatever thread runs it. */
    public <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
        return () -> {
            Scope scope = open();
            try {
                return task.call();
            } finally {
                scope.close();
            }
        };
    }

    /** For access layers: makes this the thread's context until the scope is closed on the same thread. */
    public Scope open() {
        return new Scope(this);
    }

    /** For access layers: the thread has no context until the scope is closed on the same thread. */
    public static Scope openNone() {
        return new Scope(null);
    }

    /** A stretch of code under a context; what was there before comes back when it is closed. */
    public static final class Scope implements AutoCloseable {

        private final @Nullable IdempotencyContext before = CURRENT.get();

        private Scope(@Nullable IdempotencyContext context) {
            set(context);
        }

        private static void set(@Nullable IdempotencyContext context) {
            if (context == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(context);
            }
        }

        @Override
        public void close() {
            set(before);
        }
    }
}
