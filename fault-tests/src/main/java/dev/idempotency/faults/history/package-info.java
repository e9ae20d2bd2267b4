// SPDX-License-Identifier: Apache-2.0
/** What happened while faults were injected, and whether it kept what the library promises. */
@NullMarked
package dev.idempotency.faults.history;

import org.jspecify.annotations.NullMarked;
