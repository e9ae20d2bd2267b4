// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parameters of an {@code application/x-www-form-urlencoded} body, in the body's order. */
final class FormParameters {

    private FormParameters() {}

    /** Decodes them; a parameter whose percent-encoding is broken is left out, as servlet containers do. */
    static Map<String, List<String>> parse(byte[] body, Charset charset) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        int start = 0;
        while (start < body.length) {
            int end = indexOf(body, '&', start, body.length);
            add(parameters, body, start, end, charset);
            start = end + 1;
        }
        return parameters;
    }

    /** Whether every parameter has a name and well-formed percent-encoding, so that none is left out. */
    static boolean isExact(byte[] body) {
        boolean nameMayStart = true;
        for (int i = 0; i < body.length; i++) {
            byte b = body[i];
            if (nameMayStart && (b == '=' || b == '&')) {
                return false;
            }
            if (b == '%') {
                if (i + 2 >= body.length
                        || Character.digit(body[i + 1], 16) < 0
                        || Character.digit(body[i + 2], 16) < 0) {
                    return false;
                }
                i += 2;
            }
            nameMayStart = b == '&';
        }
        return true;
    }

    private static void add(Map<String, List<String>> parameters, byte[] body, int start, int end, Charset charset) {
        int equals = indexOf(body, '=', start, end);
        if (equals == start) {
            return;
        }
        try {
            String name = decode(body, start, equals, charset);
            String value = equals == end ? "" : decode(body, equals + 1, end, charset);
            parameters.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        } catch (IllegalArgumentException e) {
            // Broken percent-encoding: no parameter.
            return;
        }
    }

    private static int indexOf(byte[] body, char sought, int start, int end) {
        for (int i = start; i < end; i++) {
            if (body[i] == sought) {
                return i;
            }
        }
        return end;
    }

    private static String decode(byte[] body, int start, int end, Charset charset) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(end - start);
        for (int i = start; i < end; i++) {
            byte b = body[i];
            if (b == '+') {
                out.write(' ');
            } else if (b == '%') {
                if (i + 2 >= end) {
                    throw new IllegalArgumentException("percent-encoding ends too early");
                }
                out.write(16 * hexDigit(body[i + 1]) + hexDigit(body[i + 2]));
                i += 2;
            } else {
                out.write(b);
            }
        }
        return out.toString(charset);
    }

    private static int hexDigit(byte b) {
        int digit = Character.digit(b, 16);
        if (digit < 0) {
            throw new IllegalArgumentException("percent-encoding without hexadecimal digits");
        }
        return digit;
    }
}
