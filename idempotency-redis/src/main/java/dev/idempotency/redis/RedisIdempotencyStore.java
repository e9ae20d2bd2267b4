// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.EndSignals;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.RouteStates;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Records in Redis 6.2 or newer, or Valkey: one string each, under {@code {prefix}:{namespace}:{bizType}:{hex}}.
 *
 * <p>Every step is one script on one key, so one round trip, which renewals share; it works on a standalone server, behind
 * Sentinel and in a Cluster. Time is the server's clock. Every key has a time to live in Redis, at least as long as the
 * record's own. A value that is no record, or of another format, is reported as unreadable and left alone.
 *
 * <p>Records are as durable as the server is configured to be. A failover may lose the newest ones, as replication is
 * asynchronous.
 *
 * <p>May be called from any thread. The connection factory belongs to the application.
 */
public final class RedisIdempotencyStore implements IdempotencyStore, AutoCloseable {

    /** What keys begin with unless told otherwise. */
    public static final String DEFAULT_KEY_PREFIX = "idempotency";

    /** How long to wait for a reply unless told otherwise. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofMillis(500);

    private static final Script CLAIM = Script.load("claim");
    private static final Script RENEW = Script.load("renew");
    private static final Script COMPLETE = Script.load("complete");
    private static final Script RELEASE = Script.load("release");
    private static final Script FIND = Script.load("find");

    private final ScriptRunner scripts;
    private final @Nullable ReplicatedSteps replicated;
    private final String keyStart;
    private final RedisEndSignals endSignals;
    private final RedisRouteStates routeStates;

    /** A store with the default prefix and time-out. */
    public RedisIdempotencyStore(RedisConnectionFactory connectionFactory, String namespace) {
        this(connectionFactory, DEFAULT_KEY_PREFIX, namespace, DEFAULT_COMMAND_TIMEOUT);
    }

    /**
     * A store.
     *
     * @param connectionFactory where connections come from; a Lettuce factory's shared connection is used as it is
     * @param keyPrefix what every key begins with, not empty
     * @param namespace the application's name among those that share the server; not empty, without colon
     * @param commandTimeout how long a step may wait for its reply, positive. Over other drivers than Lettuce it takes as long
     *     as the driver is configured to wait. The first connection is waited for as long, but 5 s if nobody has before.
     * @throws IllegalArgumentException if an argument breaks its rule
     */
    public RedisIdempotencyStore(
            RedisConnectionFactory connectionFactory, String keyPrefix, String namespace, Duration commandTimeout) {
        this(connectionFactory, keyPrefix, namespace, commandTimeout, ReplicaWait.NONE);
    }

    /**
     * A store whose claims and ends count only once replicas have them; releases and renewals do not wait. A claim that too
     * few replicas have is reported as one that got no answer. Uses up to eight connections of its own over Lettuce.
     *
     * @param replicaWait how many replicas to wait for, and how long beside {@code commandTimeout}
     * @throws IllegalArgumentException if an argument breaks its rule
     */
    public RedisIdempotencyStore(
            RedisConnectionFactory connectionFactory,
            String keyPrefix,
            String namespace,
            Duration commandTimeout,
            ReplicaWait replicaWait) {
        if (keyPrefix.isEmpty()) {
            throw new IllegalArgumentException("the key prefix must not be empty");
        }
        if (namespace.isEmpty() || namespace.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "the namespace must not be empty nor contain ':', but is '" + namespace + "'");
        }
        if (commandTimeout.isZero() || commandTimeout.isNegative()) {
            throw new IllegalArgumentException("the command time-out must be positive, but is " + commandTimeout);
        }
        this.scripts = new ScriptRunner(connectionFactory, commandTimeout);
        this.replicated = replicaWait.isNeeded()
                ? new ReplicatedSteps(scripts, connectionFactory, replicaWait, commandTimeout)
                : null;
        this.keyStart = keyPrefix + ":" + namespace + ":";
        this.endSignals = new RedisEndSignals(connectionFactory, this::redisName);
        this.routeStates = new RedisRouteStates(scripts, keyStart + "routes");
    }

    @Override
    public String name() {
        return "redis";
    }

    /** {@inheritDoc} A lease or ttl of more than 100 years is taken as 100 years. */
    @Override
    public ClaimResult claim(Claim claim) {
        Reply reply = run(
                CLAIM,
                "claimed",
                redisKey(claim.key()),
                Arguments.owner(claim.owner()),
                Arguments.algorithm(claim.fingerprint()),
                claim.fingerprint().toBytes(),
                Arguments.micros(claim.lease()),
                Arguments.micros(claim.ttl()),
                Arguments.text(claim.onOrphan().name()),
                claim.payload().bytes(),
                Arguments.text(claim.waits() ? "1" : "0"),
                Arguments.text(Long.toString(claim.redriveOf())));
        return ClaimReply.read(claim.key(), reply);
    }

    /** {@inheritDoc} All are sent at once over Lettuce; over other drivers one after the other, until one gets no reply. */
    @Override
    public List<RenewalResult> renew(List<Renewal> renewals) {
        return scripts.runEach(RENEW, renewals.stream().map(this::call).toList()).stream()
                .map(RedisIdempotencyStore::renewed)
                .toList();
    }

    private ScriptCall call(Renewal renewal) {
        return new ScriptCall(
                redisKey(renewal.key()),
                Arguments.owner(renewal.owner()),
                Arguments.micros(renewal.lease()),
                Arguments.micros(renewal.ttl()));
    }

    private static RenewalResult renewed(Optional<Reply> reply) {
        return reply.map(given -> switch (given.word(0)) {
                    case "renewed" -> RenewalResult.RENEWED;
                    case "stale" -> RenewalResult.LOST;
                    default -> throw given.notUnderstood();
                })
                .orElse(RenewalResult.UNANSWERED);
    }

    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        byte[][] arguments = Arguments.completion(owner, completion);
        Reply reply = completion instanceof Completion.Release
                ? scripts.run(COMPLETE, redisKey(key), arguments)
                : run(COMPLETE, "applied", redisKey(key), arguments);
        return switch (reply.word(0)) {
            case "applied" -> new CompletionResult.Applied(reply.number(1), Arguments.duration(reply.number(2)));
            case "stale" -> new CompletionResult.Stale();
            default -> throw reply.notUnderstood();
        };
    }

    @Override
    public ReleaseResult release(RecordKey key, long version) {
        Reply reply = scripts.run(RELEASE, redisKey(key), Arguments.text(Long.toString(version)));
        return switch (reply.word(0)) {
            case "released" -> ReleaseResult.RELEASED;
            case "refused" -> ReleaseResult.REFUSED;
            case "absent" -> ReleaseResult.ABSENT;
            default -> throw reply.notUnderstood();
        };
    }

    @Override
    public Lookup find(RecordKey key) {
        Reply reply = scripts.run(FIND, redisKey(key));
        return switch (reply.word(0)) {
            case "found" -> RecordReader.read(key, reply.bytes(1));
            case "absent" -> new Lookup.Absent();
            case "unreadable" -> new Lookup.Unreadable();
            default -> throw reply.notUnderstood();
        };
    }

    @Override
    public EndSignals endSignals() {
        return endSignals;
    }

    @Override
    public RouteStates routeStates() {
        return routeStates;
    }

    /** Ends what was started for waiters; records and the connection factory stay. */
    @Override
    public void close() {
        endSignals.close();
        if (replicated != null) {
            replicated.close();
        }
    }

    private Reply run(Script script, String wroteIf, byte[] key, byte[]... arguments) {
        return replicated == null
                ? scripts.run(script, key, arguments)
                : replicated.run(script, wroteIf, key, arguments);
    }

    private byte[] redisKey(RecordKey key) {
        return redisName(key).getBytes(StandardCharsets.UTF_8);
    }

    private String redisName(RecordKey key) {
        return keyStart + key.bizType() + ":" + key.hex();
    }
}
