// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import dev.idempotency.json.JsonPointer;

/** Where a delivery says which event it is about. The same event has the same id in every attempt to deliver it. */
public sealed interface EventIdPlace {

    /** A header. */
    record Header(String name) implements EventIdPlace {}

    /** A text, number or boolean in a JSON body. */
    record Member(JsonPointer pointer) implements EventIdPlace {}

    /** A parameter of a form body; the query string does not count, as nobody has signed it. */
    record FormParameter(String name) implements EventIdPlace {}

    /** The body as a whole, for senders without ids: the same bytes are the same event. */
    record WholeBody() implements EventIdPlace {}

    /**
     * Reads a place: {@code body}, a JSON pointer, which starts with a slash, a form parameter behind {@code form:}, or else
     * a header.
     *
     * @throws IllegalArgumentException if it is blank or a malformed pointer
     */
    static EventIdPlace parse(String place) {
        String form = "form:";
        if (place.equals("body")) {
            return new WholeBody();
        }
        if (place.startsWith("/")) {
            return new Member(JsonPointer.parse(place));
        }
        String name = place.startsWith(form) ? place.substring(form.length()) : place;
        if (name.isBlank()) {
            throw new IllegalArgumentException("must be body, a JSON pointer, form: and a parameter, or a header");
        }
        return place.startsWith(form) ? new FormParameter(name) : new Header(name);
    }
}
