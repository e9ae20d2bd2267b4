// SPDX-License-Identifier: Apache-2.0
/** Watches over the keys that callers draw. */
@NullMarked
package dev.idempotency.spring.hygiene;

import org.jspecify.annotations.NullMarked;
