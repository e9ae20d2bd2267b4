// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.http.RawRequest;
import dev.idempotency.tck.http.Target;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A storm of retries against an endpoint, as its senders make it: the same delivery several times at once, in another
 * order, again when an answer was lost. {@link #run} sends it and returns what came of it, to be asserted on.
 *
 * <pre>{@code
 * RetryStorm.on("/webhooks/orders").at("http://localhost:" + port)
 *         .deliveries(1000).schedule(SenderSchedule.STRIPE).duplicates(4).reorder().dropReplies(0.1)
 *         .body("{\"order_id\": \"{key}\"}")
 *         .effectIds(erp::pushedOrderIds)
 *         .run()
 *         .eachEffectHappenedOnce()
 *         .everyRepeatGotTheFirstAnswer();
 * }</pre>
 *
 * <p>It is bounded in count, concurrency and time, follows no redirect, and sends to this machine only unless another
 * host is named by {@link #mayTest}. What is left to chance follows from {@link #seed}. Methods change and return this
 * object; it is to be used by one thread.
 */
public final class RetryStorm {

    /** How many sendings a storm may have: deliveries times copies. */
    public static final int MAX_SENDINGS = 1_000_000;

    private static final int MAX_CONCURRENCY = 512;
    private static final Duration MAX_LIMIT = Duration.ofHours(24);

    private final String path;
    private @Nullable URI base;
    private final Set<String> consented = new LinkedHashSet<>();
    private @Nullable String name;
    private long seed = 1;
    private int deliveries = 100;
    private int duplicates;
    private String method = "POST";
    private String keyTemplate = "{storm}-{n}";
    private @Nullable String keyHeader = "X-Idempotency-Key";
    private String markHeader = "Idempotent-Replayed";
    private String contentType = "application/json";
    private Function<Delivery, String> body = delivery -> delivery.fill("{\"order_id\": \"{key}\"}");
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final List<BiFunction<Delivery, String, Map<String, String>>> perAttempt = new ArrayList<>();
    private SenderSchedule schedule = SenderSchedule.IMPATIENT;
    private Duration compressedTo = Duration.ofSeconds(5);
    private boolean honourRetryAfter;
    private boolean reorder;
    private double dropReplies;
    private double rate;
    private int concurrency = 16;
    private Duration patience = Duration.ofSeconds(10);
    private Duration limit = Duration.ofMinutes(2);
    private Duration settle = Duration.ofMillis(300);
    private Supplier<EffectCounts> probe = EffectCounts.Unknown::new;
    private Function<Delivery, String> effectId = Delivery::key;
    private Consumer<StormReport> listener = report -> {};

    private RetryStorm(String path) {
        this.path = path;
    }

    /**
     * A storm on a path.
     *
     * @param path beginning with a slash, with query if there is one
     */
    public static RetryStorm on(String path) {
        require(path.startsWith("/"), "a storm's path must begin with a slash, but is %s", path);
        return new RetryStorm(path);
    }

    /** The server, such as {@code http://localhost:8080}; a path in it precedes the storm's. */
    public RetryStorm at(String baseUrl) {
        return at(URI.create(baseUrl));
    }

    /** The server, such as {@code http://localhost:8080}; a path in it precedes the storm's. */
    public RetryStorm at(URI baseUrl) {
        this.base = baseUrl;
        return this;
    }

    /** Says that you may test that host, which is not this machine. Storms are load, and their effects are real. */
    public RetryStorm mayTest(String host) {
        consented.add(host);
        return this;
    }

    /** How many different things are to happen; 100 by default. */
    public RetryStorm deliveries(int count) {
        require(count > 0, "a storm must have at least one delivery, but has %s", count);
        this.deliveries = count;
        return this;
    }

    /** How often each delivery is sent besides the first time, whatever is answered; 0 by default. They may overlap. */
    public RetryStorm duplicates(int count) {
        require(count >= 0, "duplicates must not be negative, but are %s", count);
        this.duplicates = count;
        return this;
    }

    /** POST by default. */
    public RetryStorm method(String name) {
        this.method = name.toUpperCase(Locale.ROOT);
        return this;
    }

    /** The body: a text in which {@code {storm}}, {@code {n}} and {@code {key}} are replaced. */
    public RetryStorm body(String template) {
        return body(delivery -> delivery.fill(template));
    }

    /** The body of each delivery, the same for all its attempts; may be asked for from any thread. */
    public RetryStorm body(Function<Delivery, String> content) {
        this.body = content;
        return this;
    }

    /** {@code application/json} by default. */
    public RetryStorm contentType(String type) {
        this.contentType = type;
        return this;
    }

    /** One more header; {@code {storm}}, {@code {n}} and {@code {key}} are replaced in its value. */
    public RetryStorm header(String header, String template) {
        headers.put(header, template);
        return this;
    }

    /** Headers made anew for each attempt from delivery and body, such as signatures; asked for from any thread. */
    public RetryStorm headersOfAttempt(BiFunction<Delivery, String, Map<String, String>> made) {
        perAttempt.add(made);
        return this;
    }

    /** Where the idempotency key is sent; {@code X-Idempotency-Key} by default. */
    public RetryStorm keyHeader(String header) {
        this.keyHeader = header;
        return this;
    }

    /** Sends no idempotency key: the body alone says what it is about. */
    public RetryStorm withoutKeyHeader() {
        this.keyHeader = null;
        return this;
    }

    /** The idempotency keys; <code>{storm}-{n}</code> by default, and to differ between storms. */
    public RetryStorm key(String template) {
        require(template.contains("{n}"), "keys must differ between deliveries, so {n} must be in %s", template);
        this.keyTemplate = template;
        return this;
    }

    /** The header that marks an answer as one that was given before; {@code Idempotent-Replayed} by default. */
    public RetryStorm markHeader(String header) {
        this.markHeader = header;
        return this;
    }

    /** When senders that got no 2xx try again; {@link SenderSchedule#IMPATIENT} by default. */
    public RetryStorm schedule(SenderSchedule published) {
        this.schedule = published;
        return this;
    }

    /** Waits between attempts; none for a sender that never tries again. */
    public RetryStorm schedule(Duration... waits) {
        return schedule(new SenderSchedule("own", List.of(waits)));
    }

    /** How long a schedule may take in the storm; a longer one is shortened in proportion. 5 s by default. */
    public RetryStorm compressTo(Duration length) {
        positive("what a schedule is compressed to", length);
        this.compressedTo = length;
        return this;
    }

    /** Waits at least as long as {@code Retry-After} asks for, in real time. By default only the schedule counts. */
    public RetryStorm honourRetryAfter() {
        this.honourRetryAfter = true;
        return this;
    }

    /** Sends what is close to each other in another order. */
    public RetryStorm reorder() {
        this.reorder = true;
        return this;
    }

    /**
     * Hangs up on the replies of some attempts, half of them before the reply comes and half on its first byte, and tries
     * again. The last attempt of a schedule is left alone, so what stays unacknowledged is not the storm's own doing.
     *
     * @param share from 0 to 1
     */
    public RetryStorm dropReplies(double share) {
        require(share >= 0 && share <= 1, "the share of dropped replies must be from 0 to 1, but is %s", share);
        this.dropReplies = share;
        return this;
    }

    /** How many sendings begin in a second; as many as there can be by default. Retries come on top. */
    public RetryStorm rate(double perSecond) {
        require(perSecond > 0, "the rate must be positive, but is %s", perSecond);
        this.rate = perSecond;
        return this;
    }

    /** How many attempts are under way at once, 1 to 512; 16 by default. */
    public RetryStorm concurrency(int attempts) {
        require(attempts > 0 && attempts <= MAX_CONCURRENCY, "concurrency must be 1 to 512, but is %s", attempts);
        this.concurrency = attempts;
        return this;
    }

    /** How long a sender waits for an answer; 10 s by default. */
    public RetryStorm patience(Duration time) {
        positive("a sender's patience", time);
        this.patience = time;
        return this;
    }

    /** When the storm ends, done or not: at most 24 h, 2 min by default. A storm that was cut off fails every assertion. */
    public RetryStorm limit(Duration time) {
        positive("a storm's limit", time);
        require(time.compareTo(MAX_LIMIT) <= 0, "a storm's limit must not be longer than 24 h, but is %s", time);
        this.limit = time;
        return this;
    }

    /** How long the count of effects may not change before it is believed; 300 ms by default. */
    public RetryStorm settle(Duration time) {
        positive("the time to settle", time);
        this.settle = time;
        return this;
    }

    /** What chance is drawn from; 1 by default. */
    public RetryStorm seed(long value) {
        this.seed = value;
        return this;
    }

    /** What keys begin with; drawn anew for each run by default, as a server may remember an earlier storm's keys. */
    public RetryStorm name(String text) {
        this.name = text;
        return this;
    }

    /** Counts effects: how often each has happened, by its id. Asked before and after the storm. */
    public RetryStorm effects(Supplier<? extends Map<String, ? extends Number>> counts) {
        this.probe = () -> new EffectCounts.Each(counts.get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().longValue())));
        return this;
    }

    /** Counts effects: the id of each that has happened, as often as it has. Asked before and after the storm. */
    public RetryStorm effectIds(Supplier<? extends Collection<String>> ids) {
        this.probe = () -> new EffectCounts.Each(
                List.copyOf(ids.get()).stream().collect(Collectors.groupingBy(id -> id, Collectors.counting())));
        return this;
    }

    /** Counts effects where only their number is known. Asked before and after the storm. */
    public RetryStorm effectCount(LongSupplier count) {
        this.probe = () -> new EffectCounts.Total(count.getAsLong());
        return this;
    }

    /** Which id a delivery's effect is counted under; its key by default. */
    public RetryStorm effectId(Function<Delivery, String> id) {
        this.effectId = id;
        return this;
    }

    /** The same as a text in which {@code {storm}}, {@code {n}} and {@code {key}} are replaced. */
    public RetryStorm effectId(String template) {
        return effectId(delivery -> delivery.fill(template));
    }

    /** Is told of every run, before anything is asserted. */
    RetryStorm listener(Consumer<StormReport> told) {
        this.listener = told;
        return this;
    }

    /**
     * Sends it, and returns when everything was acknowledged or given up, or the limit is reached.
     *
     * @throws IllegalArgumentException if the target is missing or may not be tested, or there are too many sendings
     * @throws IllegalStateException if a body or header could not be made, or this thread was interrupted
     */
    public StormReport run() {
        StormPlan plan = plan();
        try {
            EffectCounts before = probe.get();
            Storm.Traffic traffic = new Storm(plan).run();
            EffectCounts after = EffectCounts.settled(probe, settle, limit);
            StormReport report = StormReport.of(plan, traffic, before, after);
            listener.accept(report);
            return report;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during a storm", e);
        }
    }

    private StormPlan plan() {
        URI server = base;
        if (server == null) {
            throw new IllegalArgumentException("a storm must be told its server: at(\"http://localhost:8080\")");
        }
        long sendings = (long) deliveries * (1 + duplicates);
        require(
                sendings <= MAX_SENDINGS,
                "deliveries times copies must not be more than " + MAX_SENDINGS + ", but are %s",
                sendings);
        return new StormPlan(
                name == null ? Long.toString(new SplittableRandom().nextLong(1L << 40), 36) : name,
                Target.of(server, consented),
                method,
                path,
                deliveries,
                1 + duplicates,
                keyTemplate,
                effectId,
                this::request,
                body,
                schedule.compressedTo(compressedTo).waits(),
                honourRetryAfter,
                reorder,
                dropReplies,
                rate,
                concurrency,
                patience,
                limit,
                seed,
                markHeader);
    }

    private RawRequest request(Delivery delivery, String content) {
        RawRequest request = RawRequest.of(method, delivery.fill(path)).body(contentType, content);
        if (keyHeader != null) {
            request = request.with(keyHeader, delivery.key());
        }
        for (Map.Entry<String, String> header : headers.entrySet()) {
            request = request.with(header.getKey(), delivery.fill(header.getValue()));
        }
        for (BiFunction<Delivery, String, Map<String, String>> made : perAttempt) {
            for (Map.Entry<String, String> header :
                    made.apply(delivery, content).entrySet()) {
                request = request.with(header.getKey(), header.getValue());
            }
        }
        return request;
    }

    private static void positive(String what, Duration time) {
        require(!time.isNegative() && !time.isZero(), what + " must be positive, but is %s", time);
    }

    private static void require(boolean holds, String rule, Object actual) {
        if (!holds) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, rule, actual));
        }
    }
}
