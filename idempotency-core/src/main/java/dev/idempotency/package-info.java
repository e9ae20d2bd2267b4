// SPDX-License-Identifier: Apache-2.0
/**
 * The annotation, and the coordinator that every access layer shares.
 *
 * <p>Applications need {@link dev.idempotency.Idempotent} and, within protected code,
 * {@link dev.idempotency.IdempotencyContext}. What a call may be refused with is an
 * {@link dev.idempotency.IdempotencyException}.
 *
 * <p>An access layer (HTTP, methods, messages) turns a call into an {@link dev.idempotency.IdempotentRequest}, asks the
 * {@link dev.idempotency.IdempotencyCoordinator}, and renders its {@link dev.idempotency.Decision}; what may run, it ends
 * through the {@link dev.idempotency.Execution} that it was given. Below the coordinator there is an
 * {@link dev.idempotency.store.IdempotencyStore}.
 */
@NullMarked
package dev.idempotency;

import org.jspecify.annotations.NullMarked;
