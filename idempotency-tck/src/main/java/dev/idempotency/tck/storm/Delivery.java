// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

/**
 * One thing that is to happen once, however often it is sent.
 *
 * @param storm name of the storm, which is part of the key: two storms never share one
 * @param number from 0
 * @param key idempotency key of all its attempts
 */
public record Delivery(String storm, int number, String key) {

    /** The text with {@code {storm}}, {@code {n}} and {@code {key}} replaced by this delivery's. */
    public String fill(String template) {
        return template.replace("{storm}", storm)
                .replace("{n}", Integer.toString(number))
                .replace("{key}", key);
    }
}
