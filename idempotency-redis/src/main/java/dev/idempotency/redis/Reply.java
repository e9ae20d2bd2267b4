// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a script returned: a word for the outcome, then what belongs to it.
 *
 * @param elements byte arrays and {@code Long}s, as every driver gives them
 */
record Reply(@Nullable List<?> elements) {

    String word(int index) {
        return new String(bytes(index), StandardCharsets.US_ASCII);
    }

    byte[] bytes(int index) {
        return element(index, byte[].class);
    }

    long number(int index) {
        return element(index, Long.class);
    }

    int size() {
        return elements == null ? 0 : elements.size();
    }

    /** Texts in a list of their own. */
    List<String> texts(int index) {
        List<String> texts = new ArrayList<>();
        for (Object text : element(index, List.class)) {
            if (!(text instanceof byte[] bytes)) {
                throw notUnderstood();
            }
            texts.add(new String(bytes, StandardCharsets.UTF_8));
        }
        return texts;
    }

    StoreUnavailableException notUnderstood() {
        return new StoreUnavailableException("Redis gave an answer that none of our scripts gives", null);
    }

    private <T> T element(int index, Class<T> type) {
        if (elements == null || index >= elements.size() || !type.isInstance(elements.get(index))) {
            throw notUnderstood();
        }
        return type.cast(elements.get(index));
    }
}
