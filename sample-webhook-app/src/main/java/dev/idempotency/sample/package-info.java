// SPDX-License-Identifier: Apache-2.0
/** A webhook receiver that repeats cannot fool. */
@NullMarked
package dev.idempotency.sample;

import org.jspecify.annotations.NullMarked;
