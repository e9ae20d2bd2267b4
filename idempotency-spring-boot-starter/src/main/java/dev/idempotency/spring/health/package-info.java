// SPDX-License-Identifier: Apache-2.0
/**
 * The health of idempotency: whether the store answers, and what becomes of requests if it does not.
 */
@NullMarked
package dev.idempotency.spring.health;

import org.jspecify.annotations.NullMarked;
