// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import java.util.List;

/**
 * The rules of a protected method or piece of code.
 *
 * @param policy the rules of its bizType
 * @param missingKey what happens to a call whose key is missing; of no other meaning than whether it is refused
 * @param ignored what does not count in the JSON array of the arguments
 */
public record MethodRules(IdempotencyPolicy policy, MissingKey missingKey, List<JsonPointer> ignored) {

    public MethodRules {
        ignored = List.copyOf(ignored);
    }
}
