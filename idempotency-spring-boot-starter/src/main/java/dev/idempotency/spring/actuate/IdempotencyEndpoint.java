// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The contract: where records are kept, and every protected endpoint with its rules. */
@Endpoint(id = "idempotency")
public final class IdempotencyEndpoint {

    private final Supplier<Map<String, Object>> contract;

    public IdempotencyEndpoint(Supplier<Map<String, Object>> contract) {
        this.contract = contract;
    }

    @ReadOperation
    public Map<String, Object> contract() {
        return contract.get();
    }
}
