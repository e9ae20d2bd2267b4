// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import dev.idempotency.Decision;
import dev.idempotency.Execution;
import dev.idempotency.IdempotencyContext;
import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.IdempotencyException;
import dev.idempotency.IdempotentRequest;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.key.RecordKey;
import dev.idempotency.spring.json.ValueCodec;
import dev.idempotency.spring.json.ValueCodecException;
import dev.idempotency.spring.transaction.BusinessTransaction;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.web.Refusals;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.StoredResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The access layer of calls within the process: runs a call through the coordinator, and keeps and gives again its result.
 * What the called code throws reaches the caller unchanged. May be used from any thread.
 */
public final class IdempotentCalls implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IdempotentCalls.class);
    private static final int ENDING_THREADS = 8;
    private static final long IDLE_SECONDS = 30;
    private static final Duration AFTER_ROLLBACK = Duration.ofSeconds(1);

    private final IdempotencyCoordinator coordinator;
    private final @Nullable ValueCodec codec;
    private final Settings settings;
    private final ExecutorService endings = newEndings();

    /**
     * What is the same for every call of an application.
     *
     * @param namespace keeps applications apart that share a store
     * @param dataCenter keeps regions apart, if they are to be
     * @param maxResultBytes most bytes of a result that is kept; a larger one is returned and not kept
     * @param tokenizer reads JSON; {@code null} if no JSON library is there
     * @param transactions of what is transactional
     * @param maxLetterBytes most bytes of the arguments in a dead letter; 0 keeps none
     */
    public record Settings(
            String namespace,
            @Nullable String dataCenter,
            int maxResultBytes,
            @Nullable JsonTokenizer tokenizer,
            BusinessTransactions transactions,
            int maxLetterBytes) {}

    /** The code that is protected. */
    @FunctionalInterface
    interface Callee {

        @Nullable
        Object call() throws Throwable;
    }

    /**
     * A layer.
     *
     * @param codec writes and reads values; {@code null} if there is none, which every use complains of
     */
    public IdempotentCalls(IdempotencyCoordinator coordinator, @Nullable ValueCodec codec, Settings settings) {
        this.coordinator = coordinator;
        this.codec = codec;
        this.settings = settings;
    }

    /**
     * Writing the end of a call may wait for the store, which the thread that completes a future must not do: it may be the
     * very one that brings the store's answers. After {@link #close} the ends are written where they come up.
     */
    private static ExecutorService newEndings() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                ENDING_THREADS,
                ENDING_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new CustomizableThreadFactory("idempotency-end-"),
                (end, pool) -> end.run());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    Settings settings() {
        return settings;
    }

    ValueCodec codec() {
        if (codec == null) {
            throw new IllegalArgumentException(
                    "to keep results, the application needs Jackson's data binding (jackson-databind) or a ValueCodec bean");
        }
        return codec;
    }

    /** A record key with the parts that every call has. */
    RecordKey.Builder key(String bizType) {
        return RecordKey.builder(bizType)
                .part("namespace", settings.namespace())
                .part("data-center", settings.dataCenter());
    }

    /**
     * Runs a call, or gives its result again.
     *
     * @param name what was called, for messages
     * @throws IdempotencyException if the call is refused
     */
    @Nullable
    Object call(IdempotentRequest request, String name, ResultType type, Callee callee) throws Throwable {
        Decision decision = coordinator.begin(request);
        if (decision instanceof Decision.Run run) {
            return new Attempt(run.execution(), begin(run.execution(), request, name), name, type).run(callee);
        }
        if (decision instanceof Decision.RunUnprotected) {
            IdempotencyContext.Scope none = IdempotencyContext.openNone();
            try {
                return callee.call();
            } finally {
                none.close();
            }
        }
        if (decision instanceof Decision.Replay replay) {
            try {
                return type.decode(replay.response(), codec());
            } catch (ValueCodecException e) {
                log.warn("The result of {} ({}) cannot be read; it is not run again.", request.key(), name);
                coordinator.replayFailed(request);
                throw new IdempotencyException.ResultUnavailable(name, e);
            }
        }
        throw IdempotencyException.of(decision, name);
    }

    private BusinessTransaction begin(Execution execution, IdempotentRequest request, String name) {
        try {
            return request.policy().transactional()
                    ? settings.transactions().begin(execution, name)
                    : BusinessTransaction.none(execution);
        } catch (StoreUnavailableException e) {
            throw IdempotencyException.of(new Decision.StoreUnavailable(e), name);
        }
    }

    @Override
    public void close() {
        endings.shutdown();
    }

    /** One run of the protected code. */
    private final class Attempt {

        private final Execution execution;
        private final BusinessTransaction transaction;
        private final String name;
        private final ResultType type;

        Attempt(Execution execution, BusinessTransaction transaction, String name, ResultType type) {
            this.execution = execution;
            this.transaction = transaction;
            this.name = name;
            this.type = type;
        }

        @Nullable
        Object run(Callee callee) throws Throwable {
            Object result;
            IdempotencyContext.Scope scope = execution.context().open();
            try {
                result = callee.call();
            } catch (Throwable thrown) { // an Error too: nobody else ends the execution
                failed(thrown);
                throw thrown;
            } finally {
                scope.close();
            }
            if (type.isAsync() && result instanceof CompletionStage<?> stage) {
                return runOn(stage);
            }
            returned(result);
            return result;
        }

        /** A stage that completes as the given one does, once the end is in the record. */
        private CompletionStage<?> runOn(CompletionStage<?> stage) {
            if (stage instanceof CompletableFuture<?> future && future.isDone()) {
                completedAlready(future);
                return future;
            }
            CompletableFuture<@Nullable Object> ended = new CompletableFuture<>();
            CompletionStage<?> unused = stage.whenCompleteAsync(
                    (value, thrown) -> {
                        try {
                            completed(value, thrown);
                        } finally {
                            if (thrown == null) {
                                ended.complete(value);
                            } else {
                                ended.completeExceptionally(thrown);
                            }
                        }
                    },
                    endings);
            if (stage instanceof CompletableFuture<?> future) {
                CompletionStage<?> unusedToo = ended.whenComplete((value, thrown) -> {
                    if (ended.isCancelled()) {
                        future.cancel(true);
                    }
                });
            }
            return ended;
        }

        private void completedAlready(CompletableFuture<?> future) {
            Object value;
            try {
                value = future.join();
            } catch (CompletionException | CancellationException e) {
                completed(null, e);
                return;
            }
            completed(value, null);
        }

        private void completed(@Nullable Object value, @Nullable Throwable thrown) {
            if (thrown == null) {
                returned(value);
                return;
            }
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
            failed(cause == null ? thrown : cause);
        }

        private void failed(Throwable thrown) {
            if (Refusals.isRefusal(thrown)) {
                transaction.release();
            } else {
                transaction.fail(thrown, 0);
            }
        }

        private void returned(@Nullable Object result) {
            if (!transaction.complete(kept(result))) {
                throw IdempotencyException.of(new Decision.InProgress(AFTER_ROLLBACK), name);
            }
        }

        private @Nullable StoredResponse kept(@Nullable Object result) {
            try {
                StoredResponse encoded = type.encode(result, codec());
                if (encoded.body().size() <= settings.maxResultBytes()) {
                    return encoded;
                }
                log.warn(
                        "The result of {} ({}) has more than {} bytes and is not kept; repeats are refused.",
                        execution.key(),
                        name,
                        settings.maxResultBytes());
            } catch (ValueCodecException | RuntimeException | Error e) { // the effect has happened
                log.warn( // the exception's message may quote values
                        "The result of {} ({}) cannot be written ({}) and is not kept; repeats are refused.",
                        execution.key(),
                        name,
                        e.getClass().getName());
            }
            return null;
        }
    }
}
