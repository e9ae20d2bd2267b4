// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

/** What an attempt ended in. */
public enum AttemptEnd {
    SUCCEEDED,
    FAILED,
    RELEASED
}
