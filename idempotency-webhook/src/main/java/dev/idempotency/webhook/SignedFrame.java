// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What is signed besides the body, where it stands, and what it must be like.
 *
 * @param content which bytes are signed
 * @param id where the id is
 * @param timestamp where the time stamp is, in Unix seconds or milliseconds
 * @param milliseconds whether it counts milliseconds
 */
record SignedFrame(
        SignedContent content, SignedValue id, SignedValue timestamp, boolean milliseconds, Tolerance tolerance) {

    /** As many as the seconds or milliseconds of the next thousands of years have. */
    private static final int MAX_DIGITS = 15;

    /** What came of reading the frame. */
    sealed interface Read {

        /** The signed bytes, piece by piece. */
        record Content(List<byte[]> pieces) implements Read {}

        /** There is nothing that could be signed. */
        record Unusable(Refusal reason) implements Read {}
    }

    Read read(Delivery delivery, Instant now) {
        String idText = "";
        if (content.contains(SignedContent.ID)) {
            List<String> ids = id.of(delivery);
            if (ids.isEmpty()) {
                return new Read.Unusable(Refusal.ID_MISSING);
            }
            idText = ids.get(0);
            // A full stop would let another division into id and time stamp have the same signature.
            if (ids.size() > 1 || idText.isBlank() || idText.indexOf('.') >= 0) {
                return new Read.Unusable(Refusal.ID_INVALID);
            }
        }
        String time = "";
        if (!(timestamp instanceof SignedValue.Absent)) {
            List<String> times = timestamp.of(delivery);
            if (times.isEmpty()) {
                return new Read.Unusable(Refusal.TIMESTAMP_MISSING);
            }
            time = times.get(0);
            if (times.size() > 1 || !isTimestamp(time)) {
                return new Read.Unusable(Refusal.TIMESTAMP_INVALID);
            }
            long number = Long.parseLong(time);
            Refusal refusal =
                    tolerance.refusal(milliseconds ? Instant.ofEpochMilli(number) : Instant.ofEpochSecond(number), now);
            if (refusal != null) {
                return new Read.Unusable(refusal);
            }
        }
        return new Read.Content(
                content.pieces(Map.of(SignedContent.ID, idText, SignedContent.TIMESTAMP, time), delivery.body()));
    }

    private static boolean isTimestamp(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    SignedFrame with(Tolerance other) {
        return new SignedFrame(content, id, timestamp, milliseconds, other);
    }
}
