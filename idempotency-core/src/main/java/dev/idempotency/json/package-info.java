// SPDX-License-Identifier: Apache-2.0
/** JSON read once, as tokens, whatever library the application has. */
@NullMarked
package dev.idempotency.json;

import org.jspecify.annotations.NullMarked;
