// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan.Value;
import dev.idempotency.spring.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a request says its business id: the first place that has one.
 *
 * <p>A place that starts with a slash is a JSON pointer into the body; another is the name of a member of the JSON body, or
 * of a form or query parameter.
 */
public final class BusinessIdSource {

    private final List<Place> places = new ArrayList<>();

    private record Place(JsonPointer pointer, @Nullable String parameter) {}

    /**
     * A source.
     *
     * @throws IllegalArgumentException if a place is blank or a malformed pointer
     */
    public BusinessIdSource(List<String> places) {
        for (String place : places) {
            if (place.isBlank()) {
                throw new IllegalArgumentException("a name or JSON pointer must not be blank");
            }
            this.places.add(
                    place.startsWith("/")
                            ? new Place(JsonPointer.parse(place), null)
                            : new Place(new JsonPointer(List.of(place)), place));
        }
    }

    /** What a scan of a JSON body has to pick out. */
    List<JsonPointer> pointers() {
        return places.stream().map(Place::pointer).toList();
    }

    /**
     * The business id, or {@code null} if the request has none.
     *
     * @param json what the scan picked out; empty if the body is not JSON
     * @throws InvalidRequestException if one place has several values, or an object or array
     */
    @Nullable
    String find(Map<JsonPointer, List<Value>> json, HttpServletRequest request) throws InvalidRequestException {
        for (Place place : places) {
            String found = fromJson(json.getOrDefault(place.pointer(), List.of()));
            if (found == null && place.parameter() != null) {
                found = fromParameter(request.getParameterValues(place.parameter()));
            }
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable String fromJson(List<Value> values) throws InvalidRequestException {
        if (values.isEmpty()) {
            return null;
        }
        Value first = values.get(0);
        if (first instanceof Value.Structure || values.stream().anyMatch(value -> !value.equals(first))) {
            throw ambiguous();
        }
        return first instanceof Value.Scalar scalar ? scalar.text() : null;
    }

    private static @Nullable String fromParameter(String @Nullable [] values) throws InvalidRequestException {
        if (values == null || values.length == 0) {
            return null;
        }
        for (String value : values) {
            if (!value.equals(values[0])) {
                throw ambiguous();
            }
        }
        return values[0];
    }

    private static InvalidRequestException ambiguous() {
        return new InvalidRequestException(
                ProblemType.KEY_INVALID, "The business id must be one text, number or boolean.");
    }
}
