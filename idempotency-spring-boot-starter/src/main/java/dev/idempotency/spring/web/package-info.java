// SPDX-License-Identifier: Apache-2.0
/** The servlet filter and what it needs. */
@NullMarked
package dev.idempotency.spring.web;

import org.jspecify.annotations.NullMarked;
