// SPDX-License-Identifier: Apache-2.0
/** The rules that a kind of operation follows. */
@NullMarked
package dev.idempotency.policy;

import org.jspecify.annotations.NullMarked;
