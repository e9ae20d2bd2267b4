// SPDX-License-Identifier: Apache-2.0
/** An agent that puts an application's clock wrong, where nothing better is at hand. */
@NullMarked
package dev.idempotency.faults.clock;

import org.jspecify.annotations.NullMarked;
