// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.Handling;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Dead letters in Redis 6.2 or newer, or Valkey: seven keys for all letters of a namespace, each with a time to live of at
 * least the retention, and all in one slot of a Cluster. Every step is one script; a list asks for a bounded part at a time.
 *
 * <p>Letters are as durable as the server is configured to be. May be called from any thread. Owns no connection and has
 * nothing to close.
 */
public final class RedisDeadLetterQueue implements DeadLetterQueue {

    private static final Script PARK = Script.loadForLetters("park");
    private static final Script SEEN = Script.loadForLetters("seen");
    private static final Script FIND = Script.loadForLetters("find");
    private static final Script LIST = Script.loadForLetters("list");
    private static final Script COUNTS = Script.loadForLetters("counts");
    private static final Script CHANGE = Script.loadForLetters("change");

    /** In the order in which {@code letters.lua} expects them. */
    private static final List<String> KEYS =
            List.of("letters", "contents", "order", "open", "redriving", "redriven", "discarded");

    /** Most letters that one step of a list looks at. */
    private static final int SEEN_PER_STEP = 1_000;

    /** Where Lua's numbers stop being exact. */
    private static final long LATEST_MICROS = 1L << 53;

    private final ScriptRunner scripts;
    private final DeadLetterLimits limits;
    private final byte[][] keys;
    private final byte[] retention;

    /**
     * A queue.
     *
     * @param connectionFactory where connections come from
     * @param keyPrefix what every key begins with, not empty
     * @param namespace the application's name among those that share the server; not empty, without colon
     * @param commandTimeout how long a step may wait for its reply, as for {@link RedisIdempotencyStore}
     * @throws IllegalArgumentException if the prefix or the namespace contains <code>{}</code>, which would keep a Cluster
     *     from having the keys in one slot
     */
    public RedisDeadLetterQueue(
            RedisConnectionFactory connectionFactory,
            String keyPrefix,
            String namespace,
            Duration commandTimeout,
            DeadLetterLimits limits) {
        String start = keyPrefix + ":" + namespace + ":";
        if (start.contains("{}")) {
            throw new IllegalArgumentException(
                    "neither key prefix nor namespace may contain '{}', but they are '" + start + "'");
        }
        this.scripts = new ScriptRunner(connectionFactory, commandTimeout);
        this.limits = limits;
        this.keys = KEYS.stream()
                .map(name -> (start + "{dead-letters}:" + name).getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.retention = Arguments.micros(limits.retention());
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Parked park(ParkedRequest request) {
        if (request.content().size() > limits.maxBytes()) {
            throw new IllegalArgumentException("a letter of " + request.content() + " does not fit into a queue of "
                    + limits.maxBytes() + " bytes");
        }
        Reply reply = run(
                PARK,
                number(limits.maxCount()),
                number(limits.maxBytes()),
                text(request.id()),
                text(request.reason().name()),
                text(request.key().bizType()),
                text(request.key().hex()),
                number(request.version()),
                request.content().bytes());
        return reply.word(0).equals("new") ? new Parked(true, reply.texts(1)) : new Parked(false, List.of());
    }

    @Override
    public boolean seenAgain(String id) {
        return run(SEEN, text(id)).word(0).equals("again");
    }

    @Override
    public @Nullable DeadLetter find(String id) {
        Reply reply = run(FIND, text(id));
        return reply.word(0).equals("absent") ? null : letter(reply, 1).with(Payload.of(reply.bytes(3)));
    }

    @Override
    public LetterPage list(LetterFilter filter, @Nullable String start, int size) {
        LetterPage.requireSize(size);
        String before = start == null ? "" : Long.toString(position(start));
        List<DeadLetterSummary> page = new ArrayList<>();
        while (true) {
            Reply reply = run(
                    LIST,
                    text(before),
                    number(size - page.size()),
                    number(SEEN_PER_STEP),
                    text(filter.state() == null ? "" : filter.state().name()),
                    text(filter.reason() == null ? "" : filter.reason().name()),
                    text(filter.bizType() == null ? "" : filter.bizType()),
                    number(filter.from() == null ? 0 : micros(filter.from())),
                    number(filter.to() == null ? LATEST_MICROS : micros(filter.to())));
            String last = reply.word(1);
            before = last.isEmpty() ? before : last;
            for (int i = 2; i < reply.size(); i += 2) {
                page.add(letter(reply, i));
            }
            switch (reply.word(0)) {
                case "end" -> {
                    return new LetterPage(page, null);
                }
                case "full" -> {
                    return new LetterPage(page, before);
                }
                case "more" -> {}
                default -> throw reply.notUnderstood();
            }
        }
    }

    private static long position(String start) {
        try {
            return Long.parseLong(start);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no page of this queue begins at '" + start + "'", e);
        }
    }

    @Override
    public Map<DeadLetterState, Long> counts() {
        Reply reply = run(COUNTS);
        Map<DeadLetterState, Long> counts = new EnumMap<>(DeadLetterState.class);
        counts.put(DeadLetterState.OPEN, reply.number(0));
        counts.put(DeadLetterState.REDRIVING, reply.number(1));
        counts.put(DeadLetterState.REDRIVEN, reply.number(2));
        counts.put(DeadLetterState.DISCARDED, reply.number(3));
        return counts;
    }

    @Override
    public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
        return change(
                id, "start", Arguments.owner(owner), Arguments.micros(lease), text(Handling.requireOperator(operator)));
    }

    @Override
    public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
        DeadLetterState state = outcome.result().settles() ? DeadLetterState.REDRIVEN : DeadLetterState.OPEN;
        return change(
                id,
                "end",
                Arguments.owner(owner),
                text(outcome.result().name()),
                number(outcome.status()),
                text(state.name()));
    }

    @Override
    public LetterChange discard(String id, String operator, String note) {
        return change(id, "discard", text(Handling.requireOperator(operator)), text(Handling.requireNote(note)));
    }

    private LetterChange change(String id, String wish, byte[]... arguments) {
        byte[][] all = new byte[2 + arguments.length][];
        all[0] = text(id);
        all[1] = text(wish);
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        Reply reply = run(CHANGE, all);
        return switch (reply.word(0)) {
            case "changed" -> new LetterChange.Changed(letter(reply, 1));
            case "refused" -> new LetterChange.Refused(letter(reply, 1));
            case "absent" -> new LetterChange.Absent();
            default -> throw reply.notUnderstood();
        };
    }

    private static DeadLetterSummary letter(Reply reply, int index) {
        return LetterReader.read(reply.bytes(index), reply.word(index + 1));
    }

    private Reply run(Script script, byte[]... arguments) {
        byte[][] all = new byte[1 + arguments.length][];
        all[0] = retention;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return scripts.run(script, keys, all);
    }

    /** Whole microseconds, rounded up, as the scripts can calculate with them. */
    private static long micros(Instant time) {
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        if (micros.isBefore(Instant.EPOCH)) {
            return 0;
        }
        if (micros.isAfter(Instant.EPOCH.plus(LATEST_MICROS - 1, ChronoUnit.MICROS))) {
            return LATEST_MICROS;
        }
        return ChronoUnit.MICROS.between(Instant.EPOCH, micros) + (micros.equals(time) ? 0 : 1);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] number(long number) {
        return text(Long.toString(number));
    }
}
