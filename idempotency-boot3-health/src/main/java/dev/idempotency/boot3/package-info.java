// SPDX-License-Identifier: Apache-2.0
/** What only Spring Boot 3 can load. */
@NullMarked
package dev.idempotency.boot3;

import org.jspecify.annotations.NullMarked;
