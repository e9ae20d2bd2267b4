// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.redis.RedisServerCheck;
import dev.idempotency.redis.RedisServerCheck.Findings;
import dev.idempotency.spring.autoconfigure.IdempotencyProperties.Safety;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says at start-up what Redis may lose. A server that does not answer in time does not hold the start up, unless the check
 * is strict: it is checked as soon as it answers.
 */
final class RedisSafetyCheck implements SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger("dev.idempotency");
    private static final Duration START_WAITS = Duration.ofSeconds(5);

    private final RedisServerCheck check;
    private final Safety safety;
    private final Duration retryEvery;
    private final CompletableFuture<Findings> first = new CompletableFuture<>();
    private final Thread thread = new Thread(this::checkUntilAnswered, "idempotency-redis-check");

    /**
     * A check.
     *
     * @param retryEvery how long to wait before a server that did not answer is asked again
     */
    RedisSafetyCheck(RedisServerCheck check, Safety safety, Duration retryEvery) {
        this.check = check;
        this.safety = safety;
        this.retryEvery = retryEvery;
        thread.setDaemon(true);
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (safety == Safety.OFF) {
            return;
        }
        thread.start();
        try {
            Findings findings = first.get(START_WAITS.toMillis(), TimeUnit.MILLISECONDS);
            List<String> stops = new ArrayList<>(findings.refusals());
            if (safety == Safety.STRICT) {
                stops.addAll(findings.concerns());
            }
            if (!stops.isEmpty()) {
                throw new InvalidConfigurationException(String.join(" ", stops)
                        + (safety == Safety.STRICT ? " (idempotency.redis.safety is strict)" : ""));
            }
        } catch (ExecutionException | TimeoutException e) {
            notAnswered(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void notAnswered(Exception cause) {
        if (safety == Safety.STRICT) {
            destroy();
            throw new InvalidConfigurationException(
                    "idempotency.redis.safety is strict, but Redis did not answer at start-up", cause);
        }
        log.warn("Redis did not answer at start-up; it is checked as soon as it does.");
    }

    private void checkUntilAnswered() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Findings findings = check.check();
                findings.refusals().forEach(log::error);
                findings.concerns().forEach(log::warn);
                first.complete(findings);
                return;
            } catch (StoreUnavailableException e) {
                log.debug("Redis could not be checked yet.", e);
                first.completeExceptionally(e);
            } catch (RuntimeException e) {
                log.warn("Redis could not be checked.", e);
                first.completeExceptionally(e);
                return;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(retryEvery.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void destroy() {
        thread.interrupt();
    }
}
