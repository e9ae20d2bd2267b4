// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server compresses behind the stored bytes, each exchange as its own client wants it: row C26. */
class CompressionContractIT extends HttpContract {

    private static final String TEXT = "hello world ".repeat(500);

    @Override
    List<String> properties() {
        return List.of("server.compression.enabled=true", "server.compression.min-response-size=1");
    }

    @ParameterizedTest
    @CsvSource({"gzip, identity", "identity, gzip", "gzip, gzip", "identity, identity"})
    void eachExchangeHasItsOwnCoding(String firstCoding, String secondCoding) throws IOException {
        String note = fresh();
        String key = fresh();

        Answer first = post("large-text", note, key, firstCoding).isFirst(200);
        Answer repeat = post("large-text", note, key, secondCoding);

        assertThat(repeat.headers(Answer.MARK)).containsExactly("true");
        assertThat(decoded(first, firstCoding)).isEqualTo(TEXT);
        assertThat(decoded(repeat, secondCoding)).isEqualTo(TEXT);
        assertEffects(note, 1);
    }

    @Test
    void whatTheHandlerHasCompressedStaysAsItIs() throws IOException {
        String note = fresh();
        String key = fresh();

        Answer first = post("gzip", note, key, "gzip").isFirst(200);
        post("gzip", note, key, "gzip").replays(first);

        assertThat(decoded(first, "gzip")).isEqualTo(TEXT);
        assertEffects(note, 1);
    }

    private Answer post(String kind, String note, String key, String coding) {
        return otherHttp()
                .post("/answers/" + kind + "?note=" + note)
                .key(key)
                .header("Accept-Encoding", coding)
                .send();
    }

    private static String decoded(Answer answer, String coding) throws IOException {
        byte[] body = answer.response().body();
        if (coding.equals("identity")) {
            assertThat(answer.headers("Content-Encoding")).isEmpty();
            return new String(body, StandardCharsets.UTF_8);
        }
        assertThat(answer.headers("Content-Encoding")).containsExactly("gzip");
        return new String(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(), StandardCharsets.UTF_8);
    }
}
