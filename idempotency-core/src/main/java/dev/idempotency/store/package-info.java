// SPDX-License-Identifier: Apache-2.0
/**
 * What a store keeps and the contract that every store fulfils.
 *
 * <p>{@link dev.idempotency.store.IdempotencyStore} is the interface to implement;
 * {@link dev.idempotency.store.RecordStateMachine} has the transitions, for stores that can run Java between reading and
 * writing. Layers in front of a store extend {@link dev.idempotency.store.ForwardingStore}.
 */
@NullMarked
package dev.idempotency.store;

import org.jspecify.annotations.NullMarked;
