// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.Handling;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Letters as maps of texts and numbers, for JSON. */
final class LetterView {

    private LetterView() {}

    /** An enum constant in lower case with hyphens. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Map<String, Object> summary(DeadLetterSummary letter) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", letter.id());
        view.put("state", word(letter.state()));
        view.put("reason", word(letter.reason()));
        view.put("bizType", letter.key().bizType());
        view.put("recordKey", letter.key().hex());
        view.put("recordVersion", letter.version());
        view.put("occurrences", letter.occurrences());
        view.put("firstSeen", letter.firstSeen().toString());
        view.put("lastSeen", letter.lastSeen().toString());
        view.put("contentBytes", letter.contentBytes());
        Handling handling = letter.handling();
        view.put("changedAt", handling.changedAt().toString());
        view.put("redrives", handling.redrives());
        putIfAny(view, "operator", handling.operator());
        putIfAny(view, "note", handling.note());
        RedriveOutcome outcome = handling.outcome();
        if (outcome != null) {
            view.put("outcome", word(outcome.result()));
            view.put("outcomeStatus", outcome.status());
        }
        return view;
    }

    private static void putIfAny(Map<String, Object> view, String name, String text) {
        if (!text.isEmpty()) {
            view.put(name, text);
        }
    }

    /** With what is inside, as far as it can be read. */
    static Map<String, Object> whole(DeadLetter letter) {
        Map<String, Object> view = summary(letter.summary());
        try {
            content(view, letter.open());
        } catch (UnreadableContentException e) {
            view.put("unreadable", true);
        }
        return view;
    }

    private static void content(Map<String, Object> view, DeadLetterContent content) {
        view.put("transport", content.transport());
        view.put("attempts", content.attempts());
        List<Map<String, Object>> failures = new ArrayList<>();
        content.failures()
                .forEach(failure -> failures.add(Map.of("type", failure.type(), "message", failure.message())));
        view.put("failures", failures);
        view.put("statuses", content.statuses());
        if (content.traceId() != null) {
            view.put("traceId", content.traceId());
        }
        view.put("node", content.node());
        view.put("request", request(content.request()));
        DeadLetterContent.RecordSnapshot snapshot = content.snapshot();
        if (snapshot != null) {
            view.put("record", record(snapshot));
        }
    }

    private static Map<String, Object> request(RequestSnapshot request) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("method", request.method());
        view.put("path", request.target());
        if (request.query() != null) {
            view.put("query", request.query());
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        request.fields()
                .forEach(field -> headers.computeIfAbsent(field.name(), name -> new ArrayList<>())
                        .add(field.value()));
        view.put("headers", headers);
        view.put("withheldHeaders", request.withheldFields());
        String text = text(request.body());
        view.put(
                "body",
                text == null ? Base64.getEncoder().encodeToString(request.body().bytes()) : text);
        view.put("bodyEncoding", text == null ? "base64" : "utf-8");
        view.put("bodyComplete", request.bodyComplete());
        view.put("redactedPointers", request.redactedPointers());
        if (request.principal() != null) {
            view.put("principal", request.principal());
        }
        return view;
    }

    /** The bytes as text, if they are one in UTF-8. */
    private static @Nullable String text(Payload body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body.bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static Map<String, Object> record(DeadLetterContent.RecordSnapshot snapshot) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("version", snapshot.version());
        view.put("status", snapshot.status().name());
        view.put("attempts", snapshot.attempts());
        view.put("createdAt", snapshot.createdAt().toString());
        view.put("updatedAt", snapshot.updatedAt().toString());
        view.put("expiresAt", snapshot.expiresAt().toString());
        if (snapshot.cooledUntil() != null) {
            view.put("cooledUntil", snapshot.cooledUntil().toString());
        }
        view.put(
                "recentFailures",
                snapshot.recentFailures().stream().map(Instant::toString).toList());
        return view;
    }
}
