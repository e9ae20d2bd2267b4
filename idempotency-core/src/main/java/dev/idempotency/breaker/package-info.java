// SPDX-License-Identifier: Apache-2.0
/** The sliding window that cools a failing operation down. */
@NullMarked
package dev.idempotency.breaker;

import org.jspecify.annotations.NullMarked;
