// SPDX-License-Identifier: Apache-2.0
/** The page that shows what happens to deliveries. */
@NullMarked
package dev.idempotency.sample.page;

import org.jspecify.annotations.NullMarked;
