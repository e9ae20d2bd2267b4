// SPDX-License-Identifier: Apache-2.0
/**
 * The application's Jackson, 2 or 3: as a reader of JSON tokens, and as the codec of methods' arguments and results.
 */
@NullMarked
package dev.idempotency.spring.json;

import org.jspecify.annotations.NullMarked;
