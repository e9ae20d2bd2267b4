// SPDX-License-Identifier: Apache-2.0
/**
 * The servlet filter and what it needs.
 *
 * <p>{@link dev.idempotency.spring.web.IdempotencyFilter} protects requests, and may be placed into a filter chain of one's
 * own. {@link dev.idempotency.spring.web.FailureClassifier} is the application's word on what an attempt ends in.
 */
@NullMarked
package dev.idempotency.spring.web;

import org.jspecify.annotations.NullMarked;
