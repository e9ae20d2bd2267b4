// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

/**
 * What a sender is to be told of a repeat, where the first answer is not simply given again.
 *
 * @param contentType of {@code body}; of no meaning if that is empty
 * @param body what a sender takes for success of an event that is done, when its first answer is not there any more; sent with
 *     status 200
 * @param runningStatus status while the first attempt is running: 400 to 599, so that the sender comes back and nothing is
 *     lost if that attempt fails
 */
public record Acknowledgement(String contentType, String body, int runningStatus) {

    /** An empty 200, and 409 while running. */
    public static final Acknowledgement USUAL = new Acknowledgement("text/plain", "", 409);

    public Acknowledgement {
        if (runningStatus < 400 || runningStatus > 599) {
            throw new IllegalArgumentException(
                    "running-status must be from 400 to 599, or the sender would not come back, but is "
                            + runningStatus);
        }
    }
}
