// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.util.ArrayList;
import java.util.List;

/**
 * The header that carries signatures.
 *
 * @param name of the header
 * @param separator what stands between its elements; empty if it has one
 */
record SignatureHeader(String name, String separator) {

    /** Far more than any rotation has; each costs a comparison, some a verification. */
    private static final int MAX_ELEMENTS = 32;

    boolean isMissing(Delivery delivery) {
        return delivery.headers(name).isEmpty();
    }

    /** What follows the prefix in each element that has it. */
    List<String> elements(Delivery delivery, String prefix) {
        List<String> found = new ArrayList<>();
        for (String line : delivery.headers(name)) {
            int start = 0;
            while (start <= line.length() && found.size() < MAX_ELEMENTS) {
                int separated = separator.isEmpty() ? -1 : line.indexOf(separator, start);
                int end = separated < 0 ? line.length() : separated;
                String text = line.substring(start, end).strip();
                if (text.startsWith(prefix)) {
                    found.add(text.substring(prefix.length()));
                }
                start = end + Math.max(1, separator.length());
            }
        }
        return found;
    }
}
