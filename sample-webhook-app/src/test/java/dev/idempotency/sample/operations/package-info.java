// SPDX-License-Identifier: Apache-2.0
/** Dashboard, alert rules and runbook of docs/operations, held against the running sample. */
@NullMarked
package dev.idempotency.sample.operations;

import org.jspecify.annotations.NullMarked;
