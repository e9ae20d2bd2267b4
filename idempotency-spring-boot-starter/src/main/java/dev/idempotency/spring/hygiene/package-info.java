// SPDX-License-Identifier: Apache-2.0
/**
 * Watches over the idempotency keys that callers draw, and reports those that deserve no trust.
 */
@NullMarked
package dev.idempotency.spring.hygiene;

import org.jspecify.annotations.NullMarked;
