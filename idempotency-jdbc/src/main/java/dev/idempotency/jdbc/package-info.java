// SPDX-License-Identifier: Apache-2.0
/** Store and dead letters in a relational database. */
@NullMarked
package dev.idempotency.jdbc;

import org.jspecify.annotations.NullMarked;
