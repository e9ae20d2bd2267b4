// SPDX-License-Identifier: Apache-2.0
/** From an HTTP request to its record key and fingerprint. */
@NullMarked
package dev.idempotency.spring.identity;

import org.jspecify.annotations.NullMarked;
