// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encryption;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key derivation of XAES-256-GCM (C2SP), which is that of NIST SP 800-108 in counter mode with CMAC: of one secret, a
 * key for every salt.
 */
final class DerivedKeys {

    /** Bytes of a salt. */
    static final int SALT_BYTES = 12;

    private static final int BLOCK_BYTES = 16;
    private static final int LABEL_AT = 2;
    private static final int SALT_AT = 4;
    private static final int CMAC_POLYNOMIAL = 0x87;

    private final SecretKeySpec secret;
    private final byte[] subkey;

    DerivedKeys(byte[] secret) {
        this.secret = new SecretKeySpec(secret, "AES");
        this.subkey = doubled(encrypt(new byte[BLOCK_BYTES]));
    }

    SecretKeySpec derive(byte[] salt) {
        byte[] blocks = new byte[2 * BLOCK_BYTES];
        for (int block = 0; block < 2; block++) {
            int at = block * BLOCK_BYTES;
            blocks[at + 1] = (byte) (block + 1);
            blocks[at + LABEL_AT] = 'X';
            System.arraycopy(salt, 0, blocks, at + SALT_AT, SALT_BYTES);
            for (int i = 0; i < BLOCK_BYTES; i++) {
                blocks[at + i] ^= subkey[i];
            }
        }
        return new SecretKeySpec(encrypt(blocks), "AES");
    }

    /** Multiplication by two in the field of CMAC (RFC 4493, section 2.3). */
    private static byte[] doubled(byte[] block) {
        byte[] result = new byte[BLOCK_BYTES];
        for (int i = 0; i < BLOCK_BYTES; i++) {
            int fromTheRight = i + 1 < BLOCK_BYTES && block[i + 1] < 0 ? 1 : 0;
            result[i] = (byte) (block[i] << 1 | fromTheRight);
        }
        if (block[0] < 0) {
            result[BLOCK_BYTES - 1] ^= (byte) CMAC_POLYNOMIAL;
        }
        return result;
    }

    /** Each block by itself; they differ by construction. */
    private byte[] encrypt(byte[] blocks) {
        try {
            Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
            aes.init(Cipher.ENCRYPT_MODE, secret);
            return aes.doFinal(blocks);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256 is part of every Java platform", e);
        }
    }
}
