// SPDX-License-Identifier: Apache-2.0
/**
 * Store and dead letters on Redis or Valkey: one server, Sentinel or Cluster, over the application's own connections.
 *
 * <p>{@link dev.idempotency.redis.RedisIdempotencyStore} keeps one string per record, and takes each step by one script on
 * one key. {@link dev.idempotency.redis.RedisDeadLetterQueue} keeps the letters.
 */
@NullMarked
package dev.idempotency.redis;

import org.jspecify.annotations.NullMarked;
