// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.spring.web.SnapshotRules;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the dead letters.
 *
 * @param maxCount Most letters that are kept. When there are more, those that are done with make room first, then the oldest
 *     open one, whose id is logged.
 * @param maxSize Most bytes of all letters together.
 * @param retention How long a letter stays after it was parked first.
 * @param maxBodySize Most bytes of a request's body in a letter. A letter of a longer one cannot be redriven.
 * @param redactHeaders Names of headers that are left out of letters, besides those that carry credentials.
 * @param redactPointers JSON pointers of values that are replaced in letters' bodies. A letter with a replaced value cannot
 *     be redriven.
 * @param redrive How letters are redriven.
 */
public record DeadLetterProperties(
        @DefaultValue("1000") int maxCount,
        @DefaultValue("64MB") DataSize maxSize,
        @DefaultValue("14d") Duration retention,
        @DefaultValue("64KB") DataSize maxBodySize,
        @DefaultValue List<String> redactHeaders,
        @DefaultValue List<String> redactPointers,
        @DefaultValue Redrive redrive) {

    public DeadLetterProperties {
        Rule.property("dead-letters.max-count").holds(maxCount >= 1, "must be at least 1", maxCount);
        Rule.property("dead-letters.max-size").holds(maxSize.toBytes() >= 1, "must be at least 1B", maxSize);
        Rule.property("dead-letters.retention")
                .holds(!retention.isZero() && !retention.isNegative(), "must be positive", retention);
        Rule.property("dead-letters.max-body-size")
                .holds(
                        maxBodySize.toBytes() >= 0 && maxBodySize.compareTo(maxSize) <= 0,
                        "must be from 0B to dead-letters.max-size (" + maxSize + ")",
                        maxBodySize);
        for (String pointer : redactPointers) {
            try {
                JsonPointer.parse(pointer);
            } catch (IllegalArgumentException e) {
                throw new InvalidConfigurationException(
                        "idempotency.dead-letters.redact-pointers: " + e.getMessage(), e);
            }
        }
    }

    /**
     * How letters are redriven.
     *
     * @param timeout How long a redriven request may take.
     * @param baseUrl Scheme, host and port at which this very instance can reach itself. Default: its own port on this
     *     machine.
     */
    public record Redrive(
            @DefaultValue("60s") Duration timeout, @Nullable URI baseUrl) {

        public Redrive {
            Rule.property("dead-letters.redrive.timeout")
                    .holds(!timeout.isZero() && !timeout.isNegative(), "must be positive", timeout);
            Rule.property("dead-letters.redrive.base-url")
                    .holds(
                            baseUrl == null
                                    || (("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme()))
                                            && baseUrl.getHost() != null
                                            && (baseUrl.getPath() == null
                                                    || baseUrl.getPath().isEmpty())),
                            "must be an http or https URL without a path",
                            baseUrl);
        }
    }

    DeadLetterLimits limits() {
        return new DeadLetterLimits(maxCount, maxSize.toBytes(), retention);
    }

    private int bodyBytes() {
        return (int) Math.min(maxBodySize.toBytes(), Integer.MAX_VALUE);
    }

    /** Of a method's arguments: none, if there is anything to redact, as pointers speak of bodies and not of arguments. */
    int methodBytes() {
        return redactPointers.isEmpty() ? bodyBytes() : 0;
    }

    /**
     * What of a request is kept.
     *
     * @param keyHeaders headers that the record key is made of
     */
    SnapshotRules snapshots(List<String> keyHeaders, @Nullable JsonTokenizer tokenizer) {
        List<JsonPointer> pointers = new ArrayList<>();
        redactPointers.forEach(pointer -> pointers.add(JsonPointer.parse(pointer)));
        int bodyBytes = bodyBytes();
        return SnapshotRules.of(keyHeaders, redactHeaders, pointers, tokenizer, bodyBytes);
    }
}
