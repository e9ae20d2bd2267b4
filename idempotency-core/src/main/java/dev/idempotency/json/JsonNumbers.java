// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import java.math.BigInteger;

/** One notation for every number: {@code 1}, {@code 1.0} and {@code 10e-1} are the same, to the last digit. */
final class JsonNumbers {

    private static final int LONG_DIGITS = 17;
    private static final int MAX_ZEROS = 30;

    private JsonNumbers() {}

    /**
     * The number as its significant digits and a power of ten, such as {@code -15e-1}. Exact for any size and precision;
     * negative zero is not zero, as a reader may tell them apart.
     *
     * @param number a JSON number as it is written
     */
    static String canonical(String number) {
        int exponentAt = exponentMark(number);
        int mantissaEnd = exponentAt < 0 ? number.length() : exponentAt;
        StringBuilder digits = new StringBuilder(mantissaEnd);
        int fraction = 0;
        boolean inFraction = false;
        for (int i = 0; i < mantissaEnd; i++) {
            char c = number.charAt(i);
            if (c == '.') {
                inFraction = true;
            } else if (c != '-') {
                digits.append(c);
                fraction += inFraction ? 1 : 0;
            }
        }
        int zeros = 0;
        while (zeros < digits.length() && digits.charAt(digits.length() - 1 - zeros) == '0') {
            zeros++;
        }
        String sign = number.charAt(0) == '-' ? "-" : "";
        if (zeros == digits.length()) {
            return sign + "0";
        }
        digits.setLength(digits.length() - zeros);
        int leading = 0;
        while (digits.charAt(leading) == '0') {
            leading++;
        }
        return sign + digits.substring(leading) + "e" + exponent(number, exponentAt, zeros - fraction);
    }

    private static int exponentMark(String number) {
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c == 'e' || c == 'E') {
                return i;
            }
        }
        return -1;
    }

    private static String exponent(String number, int exponentAt, int shift) {
        if (exponentAt < 0) {
            return Integer.toString(shift);
        }
        String written = number.substring(exponentAt + 1);
        return written.length() <= LONG_DIGITS
                ? Long.toString(Long.parseLong(written) + shift)
                : new BigInteger(written.startsWith("+") ? written.substring(1) : written)
                        .add(BigInteger.valueOf(shift))
                        .toString();
    }

    /** A canonical number as people write it: an integer of reasonable size by its digits, so that 7 and "7" are one id. */
    static String plain(String canonical) {
        int exponentAt = canonical.indexOf('e');
        if (exponentAt < 0 || canonical.charAt(exponentAt + 1) == '-' || canonical.length() - exponentAt > 3) {
            return canonical;
        }
        int zeros = Integer.parseInt(canonical, exponentAt + 1, canonical.length(), 10);
        return zeros > MAX_ZEROS ? canonical : canonical.substring(0, exponentAt) + "0".repeat(zeros);
    }
}
