// SPDX-License-Identifier: Apache-2.0
/** Requests parked for a person to inspect. */
@NullMarked
package dev.idempotency.deadletter;

import org.jspecify.annotations.NullMarked;
