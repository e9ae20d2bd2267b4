// SPDX-License-Identifier: Apache-2.0
/** What becomes of payloads on their way to a store: compression and encryption. */
@NullMarked
package dev.idempotency.encoding;

import org.jspecify.annotations.NullMarked;
