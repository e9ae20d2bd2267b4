// SPDX-License-Identifier: Apache-2.0
/** What a store keeps and the contract that every store fulfils. */
@NullMarked
package dev.idempotency.store;

import org.jspecify.annotations.NullMarked;
