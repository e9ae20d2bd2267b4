// SPDX-License-Identifier: Apache-2.0
/** The embedded default: records and dead letters in this process's heap. */
@NullMarked
package dev.idempotency.memory;

import org.jspecify.annotations.NullMarked;
