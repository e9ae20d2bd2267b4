// SPDX-License-Identifier: Apache-2.0
/** Whether operations can be protected. */
@NullMarked
package dev.idempotency.spring.health;

import org.jspecify.annotations.NullMarked;
