// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.storm.Reply.Answered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A storm under way: senders take what is due, retries first, until all is sent or the time is up. */
final class Storm {

    private static final long IDLE_MILLIS = 2;

    private final StormPlan plan;
    private final DelayQueue<Sending> firsts = new DelayQueue<>();
    private final DelayQueue<Sending> retries = new DelayQueue<>();
    private final AtomicInteger open;
    private final List<ConcurrentLinkedQueue<Attempt>> attempts;
    private final ConcurrentLinkedQueue<Throwable> mistakes = new ConcurrentLinkedQueue<>();
    private final long begin = System.nanoTime();
    private volatile boolean over;

    Storm(StormPlan plan) {
        this.plan = plan;
        this.open = new AtomicInteger(plan.deliveries() * plan.copies());
        this.attempts = IntStream.range(0, plan.deliveries())
                .mapToObj(number -> new ConcurrentLinkedQueue<Attempt>())
                .toList();
        for (int delivery = 0; delivery < plan.deliveries(); delivery++) {
            for (int copy = 0; copy < plan.copies(); copy++) {
                double place = plan.place(delivery, copy);
                long start = plan.rate() > 0 ? (long) (place / plan.rate() * 1e9) : 0;
                firsts.add(new Sending(delivery, copy, 0, begin + start, place));
            }
        }
    }

    /** Goes on until every sending was acknowledged or given up, or the plan's limit is reached. */
    Traffic run() throws InterruptedException {
        List<Sender> senders = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < plan.concurrency(); i++) {
            Sender sender = new Sender(plan);
            Thread thread = new Thread(() -> work(sender), "storm-" + plan.name() + "-" + i);
            thread.setDaemon(true);
            senders.add(sender);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        long end = begin + plan.limit().toNanos();
        try {
            for (Thread thread : threads) {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, end - System.nanoTime()));
            }
        } finally {
            over = true;
            for (Sender sender : senders) {
                sender.abort();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        if (!mistakes.isEmpty()) {
            throw new IllegalStateException("an attempt could not be made: " + mistakes.peek(), mistakes.peek());
        }
        IntFunction<List<Attempt>> of = number -> List.copyOf(attempts.get(number));
        return new Traffic(of, Duration.ofNanos(System.nanoTime() - begin), open.get());
    }

    /**
     * What was sent.
     *
     * @param attempts by the delivery's number
     * @param unfinished sendings that the limit cut off
     */
    record Traffic(IntFunction<List<Attempt>> attempts, Duration took, int unfinished) {}

    private void work(Sender sender) {
        try {
            while (!over && open.get() > 0) {
                Sending sending = next();
                if (sending != null) {
                    attempt(sending, sender);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            mistakes.add(e);
            over = true;
        } finally {
            sender.hangUp();
        }
    }

    private @Nullable Sending next() throws InterruptedException {
        Sending retry = retries.poll();
        if (retry != null) {
            return retry;
        }
        Sending first = firsts.poll();
        return first != null ? first : retries.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void attempt(Sending sending, Sender sender) {
        long start = System.nanoTime();
        Reply reply = sender.send(
                plan.delivery(sending.delivery()), plan.drop(sending.delivery(), sending.copy(), sending.attempt()));
        long end = System.nanoTime();
        if (over) {
            return; // the limit ended it, so it says nothing about the receiver
        }
        attempts.get(sending.delivery())
                .add(new Attempt(
                        sending.copy() + 1,
                        sending.attempt() + 1,
                        Duration.ofNanos(start - begin),
                        Duration.ofNanos(end - start),
                        reply));
        boolean acknowledged = reply instanceof Answered answered && answered.success();
        if (acknowledged || sending.attempt() >= plan.waits().size()) {
            open.decrementAndGet();
        } else {
            retries.add(sending.again(end + wait(sending.attempt(), reply).toNanos()));
        }
    }

    private Duration wait(int attempt, Reply reply) {
        Duration wait = plan.waits().get(attempt);
        if (plan.honourRetryAfter() && reply instanceof Answered answered) {
            Duration asked = answered.retryAfter()
                    .filter(value -> value.matches("\\d{1,6}"))
                    .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                    .orElse(Duration.ZERO);
            return asked.compareTo(wait) > 0 ? asked : wait;
        }
        return wait;
    }
}
