// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** An answer as it came over the wire, for what a client library would tidy up. */
record RawAnswer(String text) {

    int status() {
        assertThat(text).startsWith("HTTP/1.1 ");
        return Integer.parseInt(text.substring(9, 12));
    }

    /** The values of all lines with that name, in their order. */
    List<String> headers(String name) {
        return head().lines()
                .skip(1)
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    private String head() {
        return text.substring(0, text.indexOf("\r\n\r\n"));
    }

    /** What follows the header lines, with its transfer coding if it has one. */
    String body() {
        return text.substring(text.indexOf("\r\n\r\n") + 4);
    }

    /** One length and no transfer coding, one date, and the mark as told. */
    RawAnswer isWellFramed(boolean replayed) {
        assertThat(headers("Transfer-Encoding")).as(text).isEmpty();
        assertThat(headers("Content-Length")).as(text).containsExactly(Integer.toString(body().length()));
        assertThat(headers("Date")).as(text).hasSize(1);
        assertThat(headers("Connection").size()).as(text).isLessThanOrEqualTo(1);
        assertThat(headers(Answer.MARK)).as(text).isEqualTo(replayed ? List.of("true") : List.of());
        return this;
    }
}
