// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

/** What a protected endpoint that streams its answer wants: such an answer cannot be kept and given again. */
public enum Streaming {
    /** The application does not start. */
    REFUSE,

    /** The endpoint runs unprotected. */
    BYPASS
}
