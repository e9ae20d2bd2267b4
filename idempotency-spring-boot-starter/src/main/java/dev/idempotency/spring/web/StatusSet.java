// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.util.BitSet;
import java.util.List;

/** A set of HTTP statuses, written as single ones and classes such as {@code 2xx}. Immutable. */
public final class StatusSet {

    private static final int FIRST = 100;
    private static final int LAST = 599;

    private final BitSet statuses = new BitSet(LAST + 1);

    /**
     * Reads a set.
     *
     * @param items statuses from 200 to 599, or classes {@code 2xx} to {@code 5xx}
     * @throws IllegalArgumentException if an item is neither
     */
    public StatusSet(List<String> items) {
        for (String item : items) {
            String text = item.strip();
            boolean isClass = text.length() == 3 && text.endsWith("xx");
            int first = number(isClass ? text.charAt(0) + "00" : text);
            if (first < 2 * FIRST || first > LAST) {
                throw new IllegalArgumentException(
                        "a status must be from 200 to 599 or a class such as 2xx, but is '" + item + "'");
            }
            statuses.set(first, isClass ? first + FIRST : first + 1);
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public boolean contains(int status) {
        return status >= 0 && statuses.get(status);
    }
}
