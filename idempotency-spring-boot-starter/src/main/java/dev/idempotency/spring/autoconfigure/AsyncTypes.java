// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The return types of handlers whose answer is made on another thread; by name, as the reactive ones may not be there. */
final class AsyncTypes {

    private static final Set<String> NAMES = Set.of(
            "java.util.concurrent.Callable",
            "java.util.concurrent.CompletionStage",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.reactivestreams.Publisher");

    private AsyncTypes() {}

    static boolean contain(@Nullable Class<?> type) {
        return type != null
                && (NAMES.contains(type.getName())
                        || contain(type.getSuperclass())
                        || Stream.of(type.getInterfaces()).anyMatch(AsyncTypes::contain));
    }
}
