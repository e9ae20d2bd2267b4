// SPDX-License-Identifier: Apache-2.0
/** The annotation, and the coordinator that every access layer shares. */
@NullMarked
package dev.idempotency;

import org.jspecify.annotations.NullMarked;
