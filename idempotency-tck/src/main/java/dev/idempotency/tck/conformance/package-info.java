// SPDX-License-Identifier: Apache-2.0
/** The HTTP conformance kit: the rows of the HTTP contract, run against any server in any language. */
@NullMarked
package dev.idempotency.tck.conformance;

import org.jspecify.annotations.NullMarked;
