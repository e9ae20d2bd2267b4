// SPDX-License-Identifier: Apache-2.0
/** Effects and their records in one transaction. */
@NullMarked
package dev.idempotency.spring.transaction;

import org.jspecify.annotations.NullMarked;
