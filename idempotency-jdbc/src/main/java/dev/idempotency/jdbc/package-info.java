// SPDX-License-Identifier: Apache-2.0
/**
 * Store and dead letters in a relational database: PostgreSQL, MySQL, MariaDB or H2.
 *
 * <p>{@link dev.idempotency.jdbc.JdbcIdempotencyStore} keeps one row per record, and can write a success within the
 * application's own transaction. {@link dev.idempotency.jdbc.JdbcSchema} makes the tables,
 * {@link dev.idempotency.jdbc.JdbcCleanup} deletes what has expired.
 */
@NullMarked
package dev.idempotency.jdbc;

import org.jspecify.annotations.NullMarked;
