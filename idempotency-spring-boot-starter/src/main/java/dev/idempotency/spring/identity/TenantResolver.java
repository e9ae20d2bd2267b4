// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tells on whose behalf a request is made; a bean of this type replaces the authenticated principal as the scope of every
 * record key. Called once per protected request, on its thread, before anything is claimed.
 */
@FunctionalInterface
public interface TenantResolver {

    /** The tenant's stable id, or {@code null} for requests of no tenant, which share one scope. */
    @Nullable
    String resolve(HttpServletRequest request);
}
