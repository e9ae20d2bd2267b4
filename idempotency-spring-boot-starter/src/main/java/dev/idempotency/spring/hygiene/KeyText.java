// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.hygiene;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** What a key's text alone says about it. */
final class KeyText {

    /** Below this, some thousand callers would draw the same key by chance (birthday bound), or a person would guess it. */
    private static final double MIN_BITS = 28;

    /** Clocks differ, and so do time zones. */
    private static final Duration NEAR = Duration.ofHours(26);

    private static final int MINUTES_DIGITS = 8;
    private static final int SECONDS_DIGITS = 10;
    private static final int MILLIS_DIGITS = 13;

    private KeyText() {}

    /** Characters times their Shannon entropy: none for {@code aaaa}, 122 and more for most UUIDs. */
    static boolean isLowEntropy(String key) {
        int[] counts = new int[128];
        for (int i = 0; i < key.length(); i++) {
            counts[key.charAt(i) & 0x7f]++;
        }
        double bits = 0;
        for (int count : counts) {
            if (count > 0) {
                bits += count * (Math.log((double) key.length() / count) / Math.log(2));
            }
        }
        return bits < MIN_BITS;
    }

    /** Whether the key is nothing but a time near {@code now}, as epoch minutes, seconds or milliseconds, or as a date. */
    static boolean isClock(String key, Instant now) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c >= '0' && c <= '9') {
                digits.append(c);
            } else if ("-:.TZ +_/".indexOf(c) < 0) {
                return false;
            }
        }
        Instant time = digits.length() == key.length() ? epoch(digits.toString()) : null;
        Instant date = date(digits.toString());
        return isNear(time, now) || isNear(date, now);
    }

    private static boolean isNear(@Nullable Instant time, Instant now) {
        return time != null && Duration.between(time, now).abs().compareTo(NEAR) < 0;
    }

    private static @Nullable Instant epoch(String digits) {
        return switch (digits.length()) {
            case MINUTES_DIGITS -> Instant.ofEpochSecond(60 * Long.parseLong(digits));
            case SECONDS_DIGITS -> Instant.ofEpochSecond(Long.parseLong(digits));
            case MILLIS_DIGITS -> Instant.ofEpochMilli(Long.parseLong(digits));
            default -> null;
        };
    }

    private static @Nullable Instant date(String digits) {
        if (digits.length() < 8 || digits.length() > 17) {
            return null;
        }
        try {
            return LocalDateTime.of(
                            number(digits, 0, 4, 0),
                            number(digits, 4, 6, 1),
                            number(digits, 6, 8, 1),
                            number(digits, 8, 10, 12),
                            number(digits, 10, 12, 0),
                            number(digits, 12, 14, 0))
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null; // digits that are no date
        }
    }

    private static int number(String digits, int start, int end, int otherwise) {
        return end <= digits.length() ? Integer.parseInt(digits.substring(start, end)) : otherwise;
    }
}
