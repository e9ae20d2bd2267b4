// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.store.RecordContent.Answer;
import dev.idempotency.store.RecordContent.AnswerTooLarge;
import dev.idempotency.store.RecordContent.Failure;
import dev.idempotency.store.RecordContent.Started;
import dev.idempotency.store.StoredResponse.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordContentTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    static List<RecordContent> contents() {
        return List.of(
                new Started(null),
                new Started(TRACE),
                new AnswerTooLarge(null),
                new AnswerTooLarge(TRACE),
                new Failure(null, "", "", 0),
                new Failure(TRACE, "java.lang.IllegalStateException", "Größe 😀 \u0000", 503),
                new Failure(null, "", "", 0xFFFF),
                new Answer(null, new StoredResponse(0, List.of(), Payload.EMPTY)),
                new Answer(TRACE, answer("text".getBytes(StandardCharsets.UTF_8))));
    }

    @ParameterizedTest
    @MethodSource("contents")
    void everyKindComesBackAsItWas(RecordContent content) throws Exception {
        assertThat(RecordContent.decode(content.encode())).isEqualTo(content);
    }

    @Test
    void bodiesComeBackByteForByte() throws Exception {
        byte[] binary = new byte[256];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = (byte) i;
        }
        byte[] large = new byte[5_000_000];
        new Random(1).nextBytes(large);
        for (byte[] body : List.of(new byte[0], new byte[1], binary, large)) {
            Answer content = new Answer(TRACE, answer(body));
            assertThat(RecordContent.decode(content.encode())).isEqualTo(content);
        }
    }

    @Test
    void fieldsKeepTheirLinesTheirOrderAndTheirCommas() throws Exception {
        List<Field> fields = List.of(
                new Field("Link", "<a>; rel=\"x\", <b>"),
                new Field("x-total", "1"),
                new Field("Link", "<c>"),
                new Field("X-Total", "2"),
                new Field("Content-Disposition", "attachment; filename=\"a,b.txt\""),
                new Field("Empty", ""),
                new Field("", "ü\r\n\t"));
        Answer content = new Answer(null, new StoredResponse(201, fields, Payload.EMPTY));
        assertThat(RecordContent.decode(content.encode())).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 200, 599, 0x7FFF, 0x8000, 0xFFFF})
    void everyStatusComesBack(int status) throws Exception {
        Answer answer = new Answer(null, new StoredResponse(status, List.of(), Payload.EMPTY));
        Failure failure = new Failure(null, "", "", status);
        assertThat(RecordContent.decode(answer.encode())).isEqualTo(answer);
        assertThat(RecordContent.decode(failure.encode())).isEqualTo(failure);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0x10000})
    void aStatusOutOfRangeIsRefusedAtOnce(int status) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoredResponse(status, List.of(), Payload.EMPTY))
                .withMessage("a status must be from 0 to 65535, but is " + status);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Failure(null, "", "", status))
                .withMessage("a status must be from 0 to 65535, but is " + status);
    }

    @Test
    void aTextOf65535BytesIsKeptAndALongerOneRefused() throws Exception {
        Answer longest = new Answer(null, withField("é".repeat(32_767) + "e"));
        assertThat(RecordContent.decode(longest.encode())).isEqualTo(longest);
        Answer tooLong = new Answer(null, withField("é".repeat(32_768)));
        assertThatIllegalArgumentException().isThrownBy(tooLong::encode).withMessageContaining("65536");
    }

    @Test
    void asManyFieldsAsCanBeCountedAreKeptAndMoreRefused() throws Exception {
        Field field = new Field("a", "b");
        Answer most = new Answer(null, new StoredResponse(200, Collections.nCopies(0xFFFF, field), Payload.EMPTY));
        assertThat(RecordContent.decode(most.encode())).isEqualTo(most);
        Answer tooMany = new Answer(null, new StoredResponse(200, Collections.nCopies(0x10000, field), Payload.EMPTY));
        assertThatIllegalArgumentException().isThrownBy(tooMany::encode).withMessageContaining("65536");
    }

    @Test
    void aLongMessageIsShortenedButNoCharacterIsCutInTwo() throws Exception {
        String message = "x".repeat(499) + "😀";
        Failure failure = new Failure(null, "T", message, 500);
        assertThat(failure.message()).isEqualTo("x".repeat(499));
        assertThat(new Failure(null, "T", "x".repeat(501), 500).message()).hasSize(500);
        assertThat(new Failure(null, "T", "x".repeat(498) + "😀", 500).message())
                .hasSize(500)
                .endsWith("😀");
        assertThat(RecordContent.decode(failure.encode())).isEqualTo(failure);
    }

    @ParameterizedTest
    @MethodSource("contents")
    void aShortenedContentIsUnreadableAndNothingElse(RecordContent content) {
        byte[] bytes = content.encode().bytes();
        int body = content instanceof Answer answer ? answer.response().body().size() : 0;
        for (int length = 0; length < bytes.length - body; length++) {
            Payload shortened = Payload.of(Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> RecordContent.decode(shortened))
                    .as("the first %d of %d bytes", length, bytes.length)
                    .isInstanceOf(UnreadableContentException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("contents")
    void aDamagedByteIsUnreadableOrAnotherContentAndNothingElse(RecordContent content) {
        byte[] bytes = content.encode().bytes();
        for (int at = 0; at < bytes.length; at++) {
            for (int value = 0; value < 256; value++) {
                byte[] damaged = bytes.clone();
                damaged[at] = (byte) value;
                assertReadableOrUnreadable(damaged);
            }
        }
    }

    @Test
    void randomBytesAreUnreadableOrAContentAndNothingElse() {
        Random random = new Random(2);
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 1) {
                bytes[0] = 1;
                bytes[1] = (byte) random.nextInt(5);
            }
            assertReadableOrUnreadable(bytes);
        }
    }

    @ParameterizedTest
    @MethodSource("contents")
    void anotherFormatIsUnreadableEvenIfTheRestMakesSense(RecordContent content) {
        for (int format = 0; format < 256; format++) {
            byte[] bytes = content.encode().bytes().clone();
            if (bytes[0] != (byte) format) {
                bytes[0] = (byte) format;
                assertThatThrownBy(() -> RecordContent.decode(Payload.of(bytes)))
                        .isInstanceOf(UnreadableContentException.class)
                        .hasMessageContaining("format " + bytes[0]);
            }
        }
    }

    @Test
    void theBytesOfFormatOneAreFixed() {
        Answer answer =
                new Answer("t", new StoredResponse(201, List.of(new Field("N", "é")), Payload.of(new byte[] {7})));
        assertThat(answer.encode().bytes())
                .containsExactly(1, 1, 0, 1, 't', 0, 201, 0, 1, 0, 1, 'N', 0, 2, 0xC3, 0xA9, 7);
        assertThat(new Started(null).encode().bytes()).containsExactly(1, 0, 0, 0);
        assertThat(new AnswerTooLarge(null).encode().bytes()).containsExactly(1, 2, 0, 0);
        assertThat(new Failure(null, "T", "m", 503).encode().bytes())
                .containsExactly(1, 3, 0, 0, 0, 1, 'T', 0, 1, 'm', 1, 0xF7);
    }

    private static void assertReadableOrUnreadable(byte[] bytes) {
        try {
            assertThat(RecordContent.decode(Payload.of(bytes))).isNotNull();
        } catch (UnreadableContentException expected) {
            assertThat(expected).hasMessageStartingWith("");
        }
    }

    private static StoredResponse answer(byte[] body) {
        return new StoredResponse(201, List.of(new Field("Location", "/orders/7")), Payload.of(body));
    }

    private static StoredResponse withField(String value) {
        return new StoredResponse(200, List.of(new Field("n", value)), Payload.EMPTY);
    }
}
