// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.ForwardingStore;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.StoreUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Stands before the application's real store and dead letters: counts the calls, and cuts some of them off when told to. */
public class StoreProbe implements BeanPostProcessor {

    private final AtomicInteger calls = new AtomicInteger();
    private volatile Payload lastAnswer = Payload.EMPTY;
    private volatile boolean silent;
    private volatile boolean silentForCompletions;
    private volatile boolean renewalsLost;
    private volatile boolean answersDamaged;
    private volatile boolean lettersSilent;

    /** How often the store has been asked. */
    public int calls() {
        return calls.get();
    }

    /** What the store was last given as an answer. */
    public Payload lastAnswer() {
        return lastAnswer;
    }

    /** Whether the store gives no answer at all. */
    public void silence(boolean silent) {
        this.silent = silent;
    }

    /** Whether the store gives no answer to completions. */
    public void silenceCompletions(boolean silent) {
        this.silentForCompletions = silent;
    }

    /** Whether answers lose their last byte on the way to the store. */
    public void damageAnswers(boolean damaged) {
        this.answersDamaged = damaged;
    }

    /** Whether renewals never arrive, as if the owner had been paused. */
    public void loseRenewals(boolean lost) {
        this.renewalsLost = lost;
    }

    /** Whether the queue of dead letters gives no answer. */
    public void silenceLetters(boolean silent) {
        this.lettersSilent = silent;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof DeadLetterQueue queue) {
            return Proxy.newProxyInstance(
                    DeadLetterQueue.class.getClassLoader(),
                    new Class<?>[] {DeadLetterQueue.class},
                    (proxy, method, arguments) -> letters(queue, method, arguments));
        }
        return bean instanceof IdempotencyStore store ? new Probed(store) : bean;
    }

    private Object letters(DeadLetterQueue queue, Method method, Object[] arguments) throws Throwable {
        if (lettersSilent) {
            throw new StoreUnavailableException("cut off by the test", null);
        }
        try {
            return method.invoke(queue, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void called() {
        calls.incrementAndGet();
        if (silent) {
            throw new StoreUnavailableException("cut off by the test", null);
        }
    }

    private final class Probed extends ForwardingStore {

        Probed(IdempotencyStore store) {
            super(store);
        }

        @Override
        public ClaimResult claim(Claim claim) {
            called();
            return store.claim(claim);
        }

        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            called();
            if (renewalsLost) {
                throw new StoreUnavailableException("cut off by the test", null);
            }
            return store.renew(renewals);
        }

        @Override
        public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
            called();
            if (silentForCompletions) {
                throw new StoreUnavailableException("cut off by the test", null);
            }
            if (completion instanceof Completion.Success success) {
                lastAnswer = success.payload();
                if (answersDamaged) {
                    byte[] less = Arrays.copyOf(lastAnswer.bytes(), lastAnswer.size() - 1);
                    return store.complete(key, owner, new Completion.Success(Payload.of(less), success.ttl()));
                }
            }
            return store.complete(key, owner, completion);
        }

        @Override
        public Lookup find(RecordKey key) {
            called();
            return store.find(key);
        }
    }
}
