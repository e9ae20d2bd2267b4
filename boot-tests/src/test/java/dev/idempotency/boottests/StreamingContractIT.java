// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are sent while they are made: refused at start-up, or left alone if they say so. */
class StreamingContractIT extends HttpContract {

    @ParameterizedTest
    @ValueSource(strings = {"/events", "/streamed"})
    void aBypassedAnswerIsReallyStreamed(String path) throws Exception {
        String note = fresh();
        int calls = server().store().calls();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), http().port())) {
            socket.setSoTimeout(10_000);
            String request = "POST " + path + "?note=" + note + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "X-Idempotency-Key: " + fresh() + "\r\nContent-Length: 0\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));

            assertThat(readUntil(socket.getInputStream(), "first")).doesNotContain("last");
            Effects.openGate(note);
            assertThat(readUntil(socket.getInputStream(), "last")).isNotEmpty();
        }
        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 1);
    }

    private static String readUntil(InputStream in, String end) throws Exception {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(end) < 0) {
            int next = in.read();
            assertThat(next).as(read.toString()).isNotNegative();
            read.append((char) next);
        }
        return read.toString();
    }

    @Test
    void oneThatDoesNotSayWhatItWantsStopsTheStart() {
        assertThatThrownBy(() -> Server.start("streaming-unannounced=true"))
                .hasMessageContaining(
                        "@Idempotent on Unannounced.unannounced: an answer that is streamed cannot be kept");
    }
}
