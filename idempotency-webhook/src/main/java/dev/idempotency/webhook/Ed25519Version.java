// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** Standard Webhooks' asymmetric signatures, {@code v1a}: the receiver has the public key only. */
record Ed25519Version(String prefix) implements SignatureVersion {

    static final String PUBLIC_PREFIX = "whpk_";

    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;

    /** What stands before the 32 bytes of a key in its DER form (RFC 8410, section 4). */
    private static final byte[] DER_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    @Override
    public boolean takes(Secret secret) {
        return secret.text().startsWith(PUBLIC_PREFIX);
    }

    @Override
    public void requireUsable(Secret secret) {
        key(secret);
    }

    @Override
    public List<byte[]> decode(List<String> signatures) {
        return Encoding.BASE64.decodeAll(signatures).stream()
                .filter(bytes -> bytes.length == SIGNATURE_BYTES)
                .toList();
    }

    @Override
    public boolean matches(Secret secret, List<byte[]> content, List<byte[]> signatures) {
        PublicKey key = key(secret);
        boolean matches = false;
        for (byte[] signature : signatures) {
            matches |= matches(key, content, signature);
        }
        return matches;
    }

    private static boolean matches(PublicKey key, List<byte[]> content, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            for (byte[] piece : content) {
                verifier.update(piece);
            }
            return verifier.verify(signature);
        } catch (SignatureException e) {
            return false; // bytes that are no point of the curve
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the platform has no Ed25519", e);
        }
    }

    private static PublicKey key(Secret secret) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(secret.text().substring(PUBLIC_PREFIX.length()));
        } catch (IllegalArgumentException e) {
            bytes = new byte[0];
        }
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException("must be " + PUBLIC_PREFIX + " and the base64 of an Ed25519 public key");
        }
        byte[] der = new byte[DER_PREFIX.length + KEY_BYTES];
        System.arraycopy(DER_PREFIX, 0, der, 0, DER_PREFIX.length);
        System.arraycopy(bytes, 0, der, DER_PREFIX.length, KEY_BYTES);
        try {
            return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
        } catch (InvalidKeySpecException e) {
            throw new IllegalArgumentException("must hold an Ed25519 public key", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the platform has no Ed25519", e);
        }
    }
}
