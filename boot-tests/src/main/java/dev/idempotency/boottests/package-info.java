// SPDX-License-Identifier: Apache-2.0
/** The application that the HTTP contract is tested on, from outside. */
@NullMarked
package dev.idempotency.boottests;

import org.jspecify.annotations.NullMarked;
