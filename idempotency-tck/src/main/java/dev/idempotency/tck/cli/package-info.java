// SPDX-License-Identifier: Apache-2.0
/** The command line of the kits, which needs nothing but the JDK. */
@NullMarked
package dev.idempotency.tck.cli;

import org.jspecify.annotations.NullMarked;
