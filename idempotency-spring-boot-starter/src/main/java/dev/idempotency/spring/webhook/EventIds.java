// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan;
import dev.idempotency.json.JsonScan.Value;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.json.MalformedJsonException;
import dev.idempotency.key.Sha256;
import dev.idempotency.spring.identity.BufferedRequest;
import dev.idempotency.spring.identity.InvalidRequestException;
import dev.idempotency.spring.problem.ProblemType;
import dev.idempotency.webhook.EventIdPlace;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the id of the event that a delivery is about. May be used from any thread. */
final class EventIds {

    private static final int MAX_LENGTH = 255;

    private final List<EventIdPlace> places;
    private final List<JsonPointer> pointers;
    private final @Nullable JsonScan scan;

    /**
     * @param tokenizer reads JSON; {@code null} if no JSON library is there
     * @throws IllegalArgumentException if a place is in JSON and nothing can read it
     */
    EventIds(List<EventIdPlace> places, @Nullable JsonTokenizer tokenizer) {
        this.places = List.copyOf(places);
        this.pointers = places.stream()
                .filter(EventIdPlace.Member.class::isInstance)
                .map(place -> ((EventIdPlace.Member) place).pointer())
                .toList();
        if (!pointers.isEmpty() && tokenizer == null) {
            throw new IllegalArgumentException("needs Jackson to find event ids in JSON bodies");
        }
        this.scan = pointers.isEmpty() || tokenizer == null ? null : new JsonScan(tokenizer, List.of(), pointers);
    }

    /**
     * The id at the first place that has one; {@code null} if none has.
     *
     * @throws InvalidRequestException if that place has several, or what is no id
     */
    @Nullable
    String find(BufferedRequest request) throws InvalidRequestException {
        Map<JsonPointer, List<Value>> members = Map.of();
        boolean scanned = false;
        for (EventIdPlace place : places) {
            List<String> found;
            if (place instanceof EventIdPlace.Header header) {
                found = Collections.list(request.getHeaders(header.name()));
            } else if (place instanceof EventIdPlace.FormParameter parameter) {
                found = request.formValues(parameter.name());
            } else if (place instanceof EventIdPlace.WholeBody) {
                found = List.of(
                        "sha256:" + HexFormat.of().formatHex(Sha256.newDigest().digest(request.body())));
            } else {
                members = scanned ? members : scan(request.body());
                scanned = true;
                found = texts(members.getOrDefault(((EventIdPlace.Member) place).pointer(), List.of()));
            }
            if (!found.isEmpty()) {
                return only(found);
            }
        }
        return null;
    }

    private Map<JsonPointer, List<Value>> scan(byte[] body) {
        if (scan == null) {
            return Map.of();
        }
        try {
            return scan.scan(body, Sha256.newDigest());
        } catch (MalformedJsonException e) {
            return Map.of(); // not JSON, and so without members
        }
    }

    private static List<String> texts(List<Value> values) throws InvalidRequestException {
        for (Value value : values) {
            if (value instanceof Value.Structure) {
                throw invalid();
            }
        }
        return values.stream()
                .filter(Value.Scalar.class::isInstance)
                .map(value -> ((Value.Scalar) value).text())
                .toList();
    }

    private static String only(List<String> found) throws InvalidRequestException {
        String id = found.get(0);
        if (id.isBlank() || id.length() > MAX_LENGTH || found.stream().anyMatch(other -> !other.equals(id))) {
            throw invalid();
        }
        return id;
    }

    private static InvalidRequestException invalid() {
        return new InvalidRequestException(
                ProblemType.KEY_INVALID, "The event's id must be one text of 1 to " + MAX_LENGTH + " characters.");
    }
}
