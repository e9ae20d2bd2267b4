// SPDX-License-Identifier: Apache-2.0
/** The endpoints of the HTTP conformance kit, in the profile {@code conformance}: for tests, not to be copied. */
@NullMarked
package dev.idempotency.sample.conformance;

import org.jspecify.annotations.NullMarked;
