// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest that every Java platform must have. */
public final class Sha256 {

    private Sha256() {}

    /** A new digest; taking one from the provider costs about 60 ns more than the best pool. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every Java platform", e);
        }
    }

    /** Adds four bytes, most significant first. */
    public static void updateInt(MessageDigest digest, int value) {
        digest.update((byte) (value >>> 24));
        digest.update((byte) (value >>> 16));
        digest.update((byte) (value >>> 8));
        digest.update((byte) value);
    }

    /**
     * Adds a text behind its length. As UTF-16 code units, so that unpaired surrogates, which UTF-8 cannot express, stay
     * apart.
     */
    public static void updateText(MessageDigest digest, String text) {
        updateInt(digest, text.length());
        byte[] units = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            units[2 * i] = (byte) (c >>> 8);
            units[2 * i + 1] = (byte) c;
        }
        digest.update(units);
    }
}
