// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

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
            List<String> elements = separator.isEmpty()
                    ? List.of(line)
                    : Arrays.asList(line.split(Pattern.quote(separator), MAX_ELEMENTS + 1));
            for (String element : elements) {
                String text = element.strip();
                if (text.startsWith(prefix) && found.size() < MAX_ELEMENTS) {
                    found.add(text.substring(prefix.length()));
                }
            }
        }
        return found;
    }
}
