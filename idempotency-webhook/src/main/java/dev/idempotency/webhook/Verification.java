// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

/** What came of verifying a delivery. */
public sealed interface Verification {

    /** The delivery was signed with one of the secrets, within the tolerated time. */
    record Verified() implements Verification {}

    /** Nobody knows who sent the delivery. */
    record Refused(Refusal reason) implements Verification {}
}
