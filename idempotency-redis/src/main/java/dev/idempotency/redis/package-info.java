// SPDX-License-Identifier: Apache-2.0
/** Store and dead letters on Redis or Valkey. */
@NullMarked
package dev.idempotency.redis;

import org.jspecify.annotations.NullMarked;
