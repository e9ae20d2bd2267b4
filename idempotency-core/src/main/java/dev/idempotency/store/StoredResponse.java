// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.util.List;

/**
 * What is answered again.
 *
 * @param status the access layer's own code (over HTTP: the status), 0 to 65535
 * @param fields names and values in the order in which they were set; a name may come more than once
 * @param body the answer's bytes as the business code wrote them
 */
public record StoredResponse(int status, List<Field> fields, Payload body) {

    public StoredResponse {
        requireStatus(status);
        fields = List.copyOf(fields);
    }

    static void requireStatus(int status) {
        if (status < 0 || status > 0xFFFF) {
            throw new IllegalArgumentException("a status must be from 0 to 65535, but is " + status);
        }
    }

    /** One header line. */
    public record Field(String name, String value) {}
}
