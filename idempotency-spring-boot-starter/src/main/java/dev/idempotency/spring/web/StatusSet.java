// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;

/** A set of HTTP statuses, written as single ones and classes such as {@code 2xx}. Immutable. */
public final class StatusSet {

    private static final Pattern STATUS = Pattern.compile("[2-5]([0-9]{2}|xx)");

    private final BitSet statuses = new BitSet();

    /**
     * Reads a set.
     *
     * @param items statuses from 200 to 599, or classes {@code 2xx} to {@code 5xx}
     * @throws IllegalArgumentException if an item is neither
     */
    public StatusSet(List<String> items) {
        for (String item : items) {
            String text = item.strip();
            if (!STATUS.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "replay-statuses must be from 200 to 599 or classes such as 2xx, but have '" + item + "'");
            }
            boolean isClass = text.endsWith("xx");
            int first = Integer.parseInt(text.replace('x', '0'));
            statuses.set(first, isClass ? first + 100 : first + 1);
        }
    }

    public boolean contains(int status) {
        return status >= 0 && statuses.get(status);
    }
}
