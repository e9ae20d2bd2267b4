// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import dev.idempotency.key.RecordKey;
import dev.idempotency.spring.operator.AuditTrail;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.ReleaseResult;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * One record at a time, by its record key or by what the sender knows of it, never with its payload; and, where
 * {@code management.endpoint.idempotencyrecords.access} is {@code unrestricted}, the release of a claim that is stuck.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 knows optional parameters by Spring's own Nullable alone
@WebEndpoint(id = "idempotencyrecords", defaultAccess = Access.READ_ONLY)
public final class IdempotencyRecordsEndpoint {

    private static final String ALL_PARTS = " Its key is made of all key parts: the businessId, if the request had one,"
            + " and the scope, if its caller was authenticated, must be given too.";

    private final IdempotencyStore store;
    private final RecordKeys keys;
    private final AuditTrail audit;

    /** Finds the record key of a request that somebody describes. */
    @FunctionalInterface
    public interface RecordKeys {

        /**
         * The record key of such a request.
         *
         * @throws IllegalArgumentException if no endpoint takes it, or the key cannot be made of what is given; the message
         *     tells why
         */
        RecordKey of(Description request);
    }

    /**
     * A request as somebody describes it.
     *
     * @param method HTTP method
     * @param path path within the application, as it was sent
     * @param key idempotency key, if it had one
     * @param businessId business id, if it had one
     * @param scope principal, or tenant where the application has a resolver; {@code null} for none
     */
    public record Description(
            String method,
            String path,
            @Nullable String key,
            @Nullable String businessId,
            @Nullable String scope) {}

    public IdempotencyRecordsEndpoint(IdempotencyStore store, RecordKeys keys, AuditTrail audit) {
        this.store = store;
        this.keys = keys;
        this.audit = audit;
    }

    /** The record of a request. */
    @ReadOperation
    public WebEndpointResponse<Object> search(
            @org.springframework.lang.Nullable @Nullable String method,
            @org.springframework.lang.Nullable @Nullable String path,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable String businessId,
            @org.springframework.lang.Nullable @Nullable String scope) {
        return Answers.of(() -> {
            if (path == null) {
                return Answers.badRequest("The path of the request must be given, and its key or business id.");
            }
            String verb = method == null ? "POST" : method.toUpperCase(Locale.ROOT);
            return found(keys.of(new Description(verb, path, key, businessId, scope)), ALL_PARTS);
        });
    }

    /** The record of a record key. */
    @ReadOperation
    public WebEndpointResponse<Object> show(@Selector String bizType, @Selector String recordKey) {
        return Answers.of(() -> found(RecordKey.ofHex(bizType, recordKey), ""));
    }

    private WebEndpointResponse<Object> found(RecordKey key, String hint) {
        Lookup lookup = store.find(key);
        if (lookup instanceof Lookup.Found found) {
            return Answers.ok(view(found.found()));
        }
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("bizType", key.bizType());
        view.put("recordKey", key.hex());
        if (lookup instanceof Lookup.Unreadable) {
            view.put("unreadable", true);
            return Answers.ok(view);
        }
        return Answers.notFound("There is no record " + key.bizType() + "/" + key.hex() + "." + hint);
    }

    private static Map<String, Object> view(IdempotencyRecord found) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("bizType", found.key().bizType());
        view.put("recordKey", found.key().hex());
        view.put("version", found.version());
        view.put("status", found.status().name());
        view.put("attempts", found.attempts());
        view.put("createdAt", found.createdAt().toString());
        view.put("updatedAt", found.updatedAt().toString());
        view.put("expiresAt", found.expiresAt().toString());
        if (found.status() == RecordStatus.PENDING) {
            view.put("leaseEnd", found.leaseEnd().toString());
        }
        Instant cooledUntil = found.window().cooledUntil();
        if (cooledUntil != null) {
            view.put("cooledUntil", cooledUntil.toString());
        }
        view.put(
                "recentFailures",
                found.window().failures().stream().map(Instant::toString).toList());
        view.put("payloadBytes", found.payload().size());
        return view;
    }

    /**
     * Releases a claim that is stuck, or ends a cool-down: the next request runs as the first one. A success stays.
     *
     * @param version the record's version as it was seen, so that no newer claim is released
     * @param reason why
     */
    @WriteOperation
    public WebEndpointResponse<Object> release(
            SecurityContext security,
            @Selector String bizType,
            @Selector String recordKey,
            @org.springframework.lang.Nullable @Nullable String version,
            @org.springframework.lang.Nullable @Nullable String reason) {
        String operator = Operators.name(security);
        return Answers.of(() -> {
            if (version == null || !Operators.isReason(reason)) {
                return Answers.badRequest("A release needs the record's version, and a reason of at most "
                        + Operators.MAX_REASON + " characters.");
            }
            RecordKey key = RecordKey.ofHex(bizType, recordKey);
            long seen = Answers.number("version", version);
            ReleaseResult result = store.release(key, seen);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("event", "record.release");
            entry.put("biz_type", key.bizType());
            entry.put("record_key", key.hex());
            entry.put("version", seen);
            entry.put("reason", reason);
            entry.put("result", LetterView.word(result));
            audit.add(operator, entry);
            return switch (result) {
                case RELEASED -> Answers.ok(Map.of("released", true));
                case REFUSED ->
                    Answers.conflict("The record has another version by now, or is a success, which stays.", Map.of());
                case ABSENT -> Answers.notFound("There is no such record.");
            };
        });
    }
}
