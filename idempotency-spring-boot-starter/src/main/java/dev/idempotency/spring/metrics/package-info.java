// SPDX-License-Identifier: Apache-2.0
/** Meters of what happens to operations. */
@NullMarked
package dev.idempotency.spring.metrics;

import org.jspecify.annotations.NullMarked;
