// SPDX-License-Identifier: Apache-2.0
/** What happens to operations, told to listeners. */
@NullMarked
package dev.idempotency.event;

import org.jspecify.annotations.NullMarked;
