// SPDX-License-Identifier: Apache-2.0
/** Operations as Micrometer observations, and the spans that tracers make of them. */
@NullMarked
package dev.idempotency.spring.observation;

import org.jspecify.annotations.NullMarked;
