// SPDX-License-Identifier: Apache-2.0
/** The tests that every store must pass. */
@NullMarked
package dev.idempotency.tck;

import org.jspecify.annotations.NullMarked;
