// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.store.IdempotencyStore;
import java.util.function.UnaryOperator;

/** Something that sees every step on its way to the store. */
@FunctionalInterface
interface StoreLayer extends UnaryOperator<IdempotencyStore> {}
