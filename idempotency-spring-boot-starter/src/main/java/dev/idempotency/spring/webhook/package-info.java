// SPDX-License-Identifier: Apache-2.0
/** Verification of webhooks before anything else happens to them. */
@NullMarked
package dev.idempotency.spring.webhook;

import org.jspecify.annotations.NullMarked;
