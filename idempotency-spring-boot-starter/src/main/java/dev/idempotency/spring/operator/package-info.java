// SPDX-License-Identifier: Apache-2.0
/** What operators do: dead letters are redriven and discarded, stuck claims released, and all of it is audited. */
@NullMarked
package dev.idempotency.spring.operator;

import org.jspecify.annotations.NullMarked;
