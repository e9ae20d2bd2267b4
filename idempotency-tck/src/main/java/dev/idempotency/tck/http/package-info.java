// SPDX-License-Identifier: Apache-2.0
/** HTTP byte for byte, for kits that must send what a well-behaved client would not, and hang up when they like. */
@NullMarked
package dev.idempotency.tck.http;

import org.jspecify.annotations.NullMarked;
