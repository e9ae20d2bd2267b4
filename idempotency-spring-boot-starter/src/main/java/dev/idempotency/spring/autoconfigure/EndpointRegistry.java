// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.web.ProtectedEndpoints;
import dev.idempotency.spring.web.Surroundings;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Scans once all handlers are known, which is after the filter was made and before the first request. */
final class EndpointRegistry implements SmartInitializingSingleton, Supplier<ProtectedEndpoints> {

    private final EndpointScanner scanner;
    private final Supplier<Surroundings> surroundings;
    private final @Nullable MethodStartup methods;
    private final StartupReport report;
    private volatile @Nullable ProtectedEndpoints endpoints;

    /**
     * A registry.
     *
     * @param methods the protected methods that are no endpoints; {@code null} if that layer is not there
     */
    EndpointRegistry(
            EndpointScanner scanner,
            Supplier<Surroundings> surroundings,
            @Nullable MethodStartup methods,
            StartupReport report) {
        this.scanner = scanner;
        this.surroundings = surroundings;
        this.methods = methods;
        this.report = report;
    }

    @Override
    public void afterSingletonsInstantiated() {
        endpoints = scanner.scan(surroundings.get());
        if (methods == null) {
            scanner.requireUsedBizTypes(Set.of(), false);
            report.log(scanner.count(), 0, scanner.bizTypes());
        } else {
            methods.start(scanner::isHandler);
            scanner.requireUsedBizTypes(methods.bizTypes(), methods.usesTemplate());
            Set<String> bizTypes = new TreeSet<>(scanner.bizTypes());
            bizTypes.addAll(methods.bizTypes());
            report.log(scanner.count(), methods.count(), bizTypes);
        }
    }

    /** All endpoints, as they are shown to operators. */
    List<EndpointDescription> descriptions() {
        return scanner.descriptions();
    }

    /** Whether paths of other case are other paths. */
    boolean isCaseSensitive() {
        return scanner.isCaseSensitive();
    }

    @Override
    public ProtectedEndpoints get() {
        ProtectedEndpoints scanned = endpoints;
        if (scanned == null) {
            throw new IllegalStateException("a request came in before the application had started");
        }
        return scanned;
    }
}
