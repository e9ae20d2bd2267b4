// SPDX-License-Identifier: Apache-2.0
/** What a sender is told when a request is not run. */
@NullMarked
package dev.idempotency.spring.problem;

import org.jspecify.annotations.NullMarked;
