// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import dev.idempotency.IdempotencyException;
import dev.idempotency.IdempotentRequest;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.json.ValueCodecException;
import dev.idempotency.spring.web.TraceIds;
import dev.idempotency.store.Payload;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Identifies the calls of one method, or of one kind of operation. May be used from any thread. */
final class MethodCalls {

    private static final String TRANSPORT = "method";

    private final IdempotentCalls calls;
    private final MethodRules rules;
    private final String name;
    private final String identityPart;
    private final String identity;
    private final String target;
    private final ContentFingerprint fingerprint;

    /**
     * Calls of one kind.
     *
     * @param name what is called, for messages
     * @param identityPart what kind of name the identity is
     * @param identity what tells the calls of this kind from all others of the bizType
     */
    MethodCalls(
            IdempotentCalls calls,
            MethodRules rules,
            String name,
            String identityPart,
            String identity,
            String target) {
        this.calls = calls;
        this.rules = rules;
        this.name = name;
        this.identityPart = identityPart;
        this.identity = identity;
        this.target = target;
        this.fingerprint = new ContentFingerprint(
                rules.policy().level(),
                calls.codec().format(),
                rules.ignored(),
                calls.settings().tokenizer());
    }

    /**
     * Runs one call, or gives its result again.
     *
     * @param key what the caller knows the operation by; {@code null} or blank if it is missing
     * @param content what the operation is called with
     */
    @Nullable
    Object call(@Nullable String key, @Nullable Object[] content, ResultType type, IdempotentCalls.Callee callee)
            throws Throwable {
        if (rules.policy().transactional()) {
            type.requireSynchronous();
        }
        if (key == null || key.isBlank()) {
            if (rules.missingKey() == MissingKey.BYPASS) {
                return callee.call();
            }
            throw new IdempotencyException.KeyMissing(name);
        }
        RecordKey recordKey = calls.key(rules.policy().bizType())
                .part(identityPart, identity)
                .part("key", key)
                .build();
        byte[] json = fingerprint.counts() ? json(content) : null;
        Fingerprint digest = json == null ? fingerprint.ofNothing() : fingerprint.of(json);
        IdempotentRequest request = new IdempotentRequest(
                recordKey, digest, rules.policy(), TRANSPORT, TraceIds.current(), () -> snapshot(json, content));
        return calls.call(request, name, type, callee);
    }

    private byte[] json(@Nullable Object[] content) {
        try {
            return calls.codec().write(content);
        } catch (ValueCodecException | StackOverflowError e) {
            throw new IllegalStateException(
                    name + " was called with arguments that cannot be written as JSON and compared; level BUSINESS_ID"
                            + " compares keys alone",
                    e);
        }
    }

    private RequestSnapshot snapshot(byte @Nullable [] json, @Nullable Object[] content) {
        int maxBytes = calls.settings().maxLetterBytes();
        if (maxBytes == 0) {
            return snapshot(Payload.EMPTY, false);
        }
        byte[] body = json;
        if (body == null) {
            try {
                body = json(content);
            } catch (RuntimeException e) { // a dead letter without its arguments is better than none
                return snapshot(Payload.EMPTY, false);
            }
        }
        boolean complete = body.length <= maxBytes;
        return snapshot(Payload.of(complete ? body : Arrays.copyOf(body, maxBytes)), complete);
    }

    private RequestSnapshot snapshot(Payload body, boolean complete) {
        return new RequestSnapshot(TRANSPORT, target, null, List.of(), body, complete, null);
    }
}
