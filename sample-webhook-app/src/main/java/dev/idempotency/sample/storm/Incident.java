// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

/** Something that really happened: many operations at once, each sent by a sender that retries in its own way. */
interface Incident {

    String title();

    String bizType();

    /** How many operations there are, and so how many effects there should be. */
    int operations();

    /** Sends one operation until the sender is content or gives up; returns when the receiver is done with all of it. */
    void play(int operation, Sender sender);
}
