// SPDX-License-Identifier: Apache-2.0
/** What an application with OpenTelemetry sends to a collector. */
@NullMarked
package dev.idempotency.telemetry;

import org.jspecify.annotations.NullMarked;
