// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import dev.idempotency.tck.http.RawAnswer;
import java.util.Arrays;
import java.util.List;

/** What answers are held to. */
final class Expect {

    private static final List<String> KEPT = List.of("Content-Type", "Location", "ETag");

    private Expect() {}

    static void that(boolean holds, String promise) {
        if (!holds) {
            throw new Mismatch("not so: " + promise);
        }
    }

    /** The answer of a handler that ran. */
    static RawAnswer first(RawAnswer answer) {
        that(answer.success(), "2xx from the handler");
        return unmarked(answer);
    }

    static RawAnswer unmarked(RawAnswer answer) {
        that(answer.all(Bench.MARK).isEmpty(), "no " + Bench.MARK + " on an answer that is given the first time");
        return answer;
    }

    /** The first answer again, marked. */
    static RawAnswer replay(RawAnswer first, RawAnswer repeat) {
        that(repeat.status() == first.status(), "a repeat gets the first status, " + first.status());
        that(repeat.all(Bench.MARK).equals(List.of("true")), "a repeat is marked " + Bench.MARK + ": true, once");
        that(Arrays.equals(first.body(), repeat.body()), "a repeat gets the first body, byte for byte");
        for (String header : KEPT) {
            that(repeat.all(header).equals(first.all(header)), "a repeat gets the first " + header);
        }
        return repeat;
    }

    /** A refusal: a problem with a type, and no mark. */
    static RawAnswer refused(RawAnswer answer, int status) {
        status(answer, status);
        unmarked(answer);
        that(
                answer.first("Content-Type").orElse("").startsWith("application/problem+json"),
                "a refusal is application/problem+json");
        that(answer.text().contains("\"type\""), "a problem has a type");
        return answer;
    }

    static RawAnswer status(RawAnswer answer, int status) {
        that(answer.status() == status, "status " + status);
        return answer;
    }

    /** Says when to come again. */
    static RawAnswer later(RawAnswer answer) {
        that(
                answer.first("Retry-After").orElse("").matches("0*[1-9]\\d*"),
                "Retry-After has whole seconds, at least 1");
        return answer;
    }
}
