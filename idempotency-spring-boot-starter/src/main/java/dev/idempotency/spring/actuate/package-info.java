// SPDX-License-Identifier: Apache-2.0
/** Endpoints of Spring Boot's actuator for operators. */
@NullMarked
package dev.idempotency.spring.actuate;

import org.jspecify.annotations.NullMarked;
