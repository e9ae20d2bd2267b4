// SPDX-License-Identifier: Apache-2.0
/** Protection of any Spring bean's methods, and of a piece of code without an annotation. */
@NullMarked
package dev.idempotency.spring.method;

import org.jspecify.annotations.NullMarked;
