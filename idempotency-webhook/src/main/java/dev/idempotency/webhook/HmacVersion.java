// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signatures by a keyed hash.
 *
 * @param prefix of such signatures
 * @param algorithm the JDK's name of it
 * @param encoding how signatures are written
 * @param keys how secrets are written
 */
record HmacVersion(String prefix, String algorithm, Encoding encoding, SecretFormat keys) implements SignatureVersion {

    static final String HMAC_SHA256 = "HmacSHA256";

    /** How a secret's text becomes a key, or an {@link IllegalArgumentException} that does not hold it. */
    @FunctionalInterface
    interface SecretFormat {
        byte[] key(String text);
    }

    @Override
    public boolean takes(Secret secret) {
        return !secret.text().startsWith(Ed25519Version.PUBLIC_PREFIX);
    }

    @Override
    public void requireUsable(Secret secret) {
        keys.key(secret.text());
    }

    @Override
    public List<byte[]> decode(List<String> signatures) {
        return encoding.decodeAll(signatures);
    }

    @Override
    public boolean matches(Secret secret, List<byte[]> content, List<byte[]> signatures) {
        Mac mac = mac(keys.key(secret.text()));
        content.forEach(mac::update);
        byte[] expected = mac.doFinal();
        boolean matches = false;
        for (byte[] signature : signatures) {
            matches |= MessageDigest.isEqual(expected, signature);
        }
        return matches;
    }

    private Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("the platform has no " + algorithm, e);
        }
    }
}
