// SPDX-License-Identifier: Apache-2.0
/** Two real incidents, played by the application against itself. */
@NullMarked
package dev.idempotency.sample.storm;

import org.jspecify.annotations.NullMarked;
