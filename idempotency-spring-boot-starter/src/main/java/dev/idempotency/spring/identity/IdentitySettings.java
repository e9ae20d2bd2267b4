// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.json.JsonTokenizer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for every endpoint of an application.
 *
 * @param namespace keeps applications apart that share a store
 * @param dataCenter keeps regions apart, if they are to be
 * @param keyParts what record keys are made of besides
 * @param businessId places of the business id; see {@link BusinessIdSource}
 * @param canonicalJson whether JSON counts by its values, not by its bytes
 * @param tokenizer reads JSON; {@code null} if no JSON library is there
 * @param businessIds finds the business id; {@code null} to look at the places that {@code businessId} names
 * @param tenants tells the scope; {@code null} for the authenticated principal
 */
public record IdentitySettings(
        String namespace,
        @Nullable String dataCenter,
        Set<KeyPart> keyParts,
        List<String> businessId,
        boolean canonicalJson,
        @Nullable JsonTokenizer tokenizer,
        @Nullable BusinessIdResolver businessIds,
        @Nullable TenantResolver tenants) {

    public IdentitySettings {
        keyParts = Set.copyOf(keyParts);
        businessId = List.copyOf(businessId);
    }
}
