// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON texts (RFC 8259) of maps, collections, strings, numbers and booleans. */
public final class JsonText {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonText() {}

    /** The text of a value, without white space; anything that is none of the types above is written as a string. */
    public static String of(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            char before = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                quote(out, String.valueOf(entry.getKey()));
                out.append(':');
                write(out, entry.getValue());
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof Collection<?> collection) {
            char before = '[';
            for (Object element : collection) {
                out.append(before);
                write(out, element);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(out, value.toString());
        }
    }

    /** Appends a string with its quotes. */
    static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEX[(c >> shift) & 0xf]);
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
