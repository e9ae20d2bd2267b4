// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

/**
 * What a sender signs with, or the public key to it, as the sender's console shows it. Its text is never printed.
 */
public final class Secret {

    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    /**
     * A secret.
     *
     * @throws IllegalArgumentException if the text is blank
     */
    public static Secret of(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a secret must not be blank");
        }
        return new Secret(text);
    }

    String text() {
        return text;
    }

    @Override
    public String toString() {
        return "Secret[hidden]";
    }
}
