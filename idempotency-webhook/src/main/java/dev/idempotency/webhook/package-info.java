// SPDX-License-Identifier: Apache-2.0
/** Signatures of webhooks, and what is known of their senders. */
@NullMarked
package dev.idempotency.webhook;

import org.jspecify.annotations.NullMarked;
