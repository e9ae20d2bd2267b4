// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several pointers, followed together while a document is read. */
final class PointerTree {

    private final Map<String, PointerTree> children = new HashMap<>();
    private @Nullable JsonPointer end;

    static PointerTree of(Collection<JsonPointer> pointers) {
        PointerTree root = new PointerTree();
        for (JsonPointer pointer : pointers) {
            PointerTree node = root;
            for (String segment : pointer.segments()) {
                node = node.children.computeIfAbsent(segment, name -> new PointerTree());
            }
            node.end = pointer;
        }
        return root;
    }

    @Nullable
    PointerTree child(String segment) {
        return children.get(segment);
    }

    /** The pointer that ends here, if one does. */
    @Nullable
    JsonPointer end() {
        return end;
    }
}
