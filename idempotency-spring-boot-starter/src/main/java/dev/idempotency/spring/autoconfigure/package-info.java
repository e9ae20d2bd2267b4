// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration for Spring Boot 3.5 to 4.1. */
@NullMarked
package dev.idempotency.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
