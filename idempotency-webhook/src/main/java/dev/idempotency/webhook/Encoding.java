// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** How bytes are written as text. */
public enum Encoding {
    /** Hexadecimal digits of either case. */
    HEX {
        @Override
        byte[] decode(String text) {
            return HexFormat.of().parseHex(text);
        }
    },

    /** Base64 as of RFC 4648, section 4. */
    BASE64 {
        @Override
        byte[] decode(String text) {
            return Base64.getDecoder().decode(text);
        }
    },

    /** The text itself, in UTF-8. */
    TEXT {
        @Override
        byte[] decode(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    };

    private static final byte[] NONE = new byte[0];

    /**
     * The bytes.
     *
     * @throws IllegalArgumentException if the text is not so written; its message may hold part of it
     */
    abstract byte[] decode(String text);

    /** Those texts that are so written and not empty; a malformed signature is none, and another one may be right. */
    List<byte[]> decodeAll(List<String> texts) {
        List<byte[]> decoded = new ArrayList<>(texts.size());
        for (String text : texts) {
            try {
                decoded.add(decode(text));
            } catch (IllegalArgumentException e) {
                decoded.add(NONE);
            }
        }
        decoded.removeIf(bytes -> bytes.length == 0);
        return decoded;
    }
}
