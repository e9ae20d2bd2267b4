// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.store.StoredResponse.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The header lines that the handler's side of the chain has set, as far as they may be stored. */
final class RecordedHeaders {

    private final Map<String, List<Field>> lines = new LinkedHashMap<>();

    void set(String name, String value) {
        if (HeaderPolicy.isStored(name)) {
            List<Field> single = new ArrayList<>(1);
            single.add(new Field(name, value));
            lines.put(name.toLowerCase(Locale.ROOT), single);
        }
    }

    void add(String name, String value) {
        if (HeaderPolicy.isStored(name)) {
            lines.computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                    .add(new Field(name, value));
        }
    }

    void remove(String name) {
        lines.remove(name.toLowerCase(Locale.ROOT));
    }

    void clear() {
        lines.clear();
    }

    List<Field> fields() {
        return lines.values().stream().flatMap(List::stream).toList();
    }
}
