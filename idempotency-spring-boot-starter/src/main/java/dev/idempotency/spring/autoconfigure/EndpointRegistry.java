// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.web.ProtectedEndpoints;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.servlet.HandlerMapping;

/** Scans once all handlers are known, which is after the filter was made and before the first request. */
final class EndpointRegistry implements SmartInitializingSingleton, Supplier<ProtectedEndpoints> {

    private final EndpointScanner scanner;
    private final Supplier<List<HandlerMapping>> mappings;
    private final StartupReport report;
    private volatile @Nullable ProtectedEndpoints endpoints;

    EndpointRegistry(EndpointScanner scanner, Supplier<List<HandlerMapping>> mappings, StartupReport report) {
        this.scanner = scanner;
        this.mappings = mappings;
        this.report = report;
    }

    @Override
    public void afterSingletonsInstantiated() {
        endpoints = scanner.scan(mappings.get());
        report.log(scanner.count(), scanner.bizTypes());
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
