// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.util.List;

/** One way in which a scheme signs, told from its other ways by the prefix of the signature. */
interface SignatureVersion {

    String prefix();

    /** Whether a secret is meant for this version. */
    boolean takes(Secret secret);

    /**
     * Checks that a secret is one of this version.
     *
     * @throws IllegalArgumentException if it is not; the message does not hold it
     */
    void requireUsable(Secret secret);

    /** Those signatures that can be read, decoded. */
    List<byte[]> decode(List<String> signatures);

    /**
     * Whether the secret has made any of the signatures.
     *
     * @param content the signed bytes, piece by piece
     */
    boolean matches(Secret secret, List<byte[]> content, List<byte[]> signatures);
}
