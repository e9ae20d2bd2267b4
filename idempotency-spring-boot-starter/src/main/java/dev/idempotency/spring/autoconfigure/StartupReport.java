// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.identity.IdentitySettings;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells at start-up what is protected, where records are kept, and what that does not do. */
final class StartupReport {

    private static final Logger log = LoggerFactory.getLogger("dev.idempotency");

    private final String store;
    private final @Nullable IdentitySettings identity;
    private final boolean namespaceGiven;

    /**
     * A report.
     *
     * @param identity how requests are identified; {@code null} where there are none
     */
    StartupReport(String store, @Nullable IdentitySettings identity, boolean namespaceGiven) {
        this.store = store;
        this.identity = identity;
        this.namespaceGiven = namespaceGiven;
    }

    void log(int endpoints, int methods, Set<String> bizTypes) {
        if (endpoints == 0 && methods == 0) {
            log.info("Idempotency protects no endpoint and no method: none is annotated with @Idempotent or named in"
                    + " idempotency.routes.");
            return;
        }
        log.info(
                "Idempotency protects {} {} and {} {} of bizType {}; records are kept in {}.",
                endpoints,
                endpoints == 1 ? "endpoint" : "endpoints",
                methods,
                methods == 1 ? "method" : "methods",
                String.join(", ", bizTypes),
                store);
        if (store.equals("memory")) {
            log.warn(
                    "Idempotency records are kept in the memory of this process only: after a restart, or on another"
                            + " instance, a repeat runs again. More than one instance needs Redis or a database (idempotency.store).");
        } else if (!namespaceGiven && identity != null && identity.namespace().equals(Namespaces.UNNAMED)) {
            log.warn(
                    "Neither idempotency.namespace nor spring.application.name is set: applications without a name share"
                            + " their records in {}.",
                    store);
        }
        if (identity == null || endpoints == 0) {
            return;
        }
        if (identity.tenants() == null) {
            log.info("Requests without an authenticated principal share one scope of idempotency keys.");
        }
        if (identity.tokenizer() == null) {
            log.warn(
                    "Jackson is not there: JSON bodies are compared by their bytes, and business ids are not read from them.");
        }
    }
}
