// SPDX-License-Identifier: Apache-2.0
/** The application that is killed, paused and cut off; it tells its driver of every step that it takes. */
@NullMarked
package dev.idempotency.faults.app;

import org.jspecify.annotations.NullMarked;
