// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.conformance;

import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What the kit asks about the server: what it offers, and how often handlers ran. */
@RestController
@Profile("conformance")
class KitController {

    private static final String FEATURES = """
            x-header
            optional-key
            principals
            business-id
            cors
            kept-402
            max-body=1048576
            async
            canonical-json
            forms
            multipart
            wait=1000
            lease=1000
            ttl=2000
            breaker=3
            webhook
            """;

    private final Executions executions;

    KitController(Executions executions) {
        this.executions = executions;
    }

    @GetMapping(path = "/conformance/features", produces = "text/plain")
    String features() {
        return FEATURES;
    }

    @GetMapping(path = "/conformance/executions/{name}", produces = "text/plain")
    String executions(@PathVariable String name) {
        return Integer.toString(executions.count(name));
    }

    @PostMapping("/conformance/release/{gate}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void release(@PathVariable String gate) {
        executions.release(gate);
    }
}
