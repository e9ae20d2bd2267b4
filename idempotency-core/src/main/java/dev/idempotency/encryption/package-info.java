// SPDX-License-Identifier: Apache-2.0
/** Encryption at rest for whatever is stored. */
@NullMarked
package dev.idempotency.encryption;

import org.jspecify.annotations.NullMarked;
