// SPDX-License-Identifier: Apache-2.0
/** The identity of an operation and the digest of its content. */
@NullMarked
package dev.idempotency.key;

import org.jspecify.annotations.NullMarked;
