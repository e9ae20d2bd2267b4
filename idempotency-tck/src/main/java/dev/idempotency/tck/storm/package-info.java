// SPDX-License-Identifier: Apache-2.0
/** The retry-storm kit: sends what senders send when they retry, and says whether it did any harm. */
@NullMarked
package dev.idempotency.tck.storm;

import org.jspecify.annotations.NullMarked;
