// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.hygiene;

/** Hears of keys that deserve no trust; called on the thread of the request. */
@FunctionalInterface
public interface WeakKeyListener {

    /**
     * A weak key has come.
     *
     * @param sender the sender of a webhook, or the bizType of the endpoint: one of a small set
     */
    void weakKey(String sender, WeakKey reason);
}
