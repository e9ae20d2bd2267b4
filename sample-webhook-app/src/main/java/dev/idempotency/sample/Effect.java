// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import java.time.OffsetDateTime;

/**
 * What a webhook did to the database.
 *
 * @param bizType what kind of operation did it
 * @param operation which one, in the sender's business words
 */
public record Effect(long id, String bizType, String operation, String detail, OffsetDateTime happenedAt) {}
