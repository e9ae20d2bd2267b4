// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.store.StoredResponse.Field;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of {@link RecordContent}: format number, kind, trace id, then the kind's own fields. Texts are UTF-8
 * behind a 16-bit length; the body takes the rest, so it is copied once each way.
 */
@SuppressWarnings("ByteBufferBackingArray") // every buffer here wraps an array from its first byte
final class RecordContentCodec {

    private static final byte FORMAT = 1;
    private static final byte STARTED = 0;
    private static final byte ANSWER = 1;
    private static final byte ANSWER_TOO_LARGE = 2;
    private static final byte FAILURE = 3;

    private static final int MAX_SHORT = 0xFFFF;
    private static final byte[] NO_TEXT = new byte[0];

    private RecordContentCodec() {}

    static Payload encode(RecordContent content) {
        byte[] traceId = text(content.traceId());
        if (content instanceof RecordContent.Answer answer) {
            return answer(traceId, answer.response());
        }
        if (content instanceof RecordContent.Failure failure) {
            byte[] type = text(failure.type());
            byte[] message = text(failure.message());
            ByteBuffer out = start(FAILURE, traceId, 2 + type.length + 2 + message.length + 2);
            put(out, type);
            put(out, message);
            out.putShort((short) failure.status());
            return Payload.of(out.array());
        }
        byte kind = content instanceof RecordContent.AnswerTooLarge ? ANSWER_TOO_LARGE : STARTED;
        return Payload.of(start(kind, traceId, 0).array());
    }

    private static Payload answer(byte[] traceId, StoredResponse response) {
        int count = response.fields().size();
        if (count > MAX_SHORT) {
            throw new IllegalArgumentException("a stored answer has at most " + MAX_SHORT + " fields, not " + count);
        }
        List<byte[]> texts = new ArrayList<>(2 * count);
        int size = 2 + 2 + response.body().size();
        for (Field field : response.fields()) {
            byte[] name = text(field.name());
            byte[] value = text(field.value());
            texts.add(name);
            texts.add(value);
            size += 2 + name.length + 2 + value.length;
        }
        ByteBuffer out = start(ANSWER, traceId, size);
        out.putShort((short) response.status());
        out.putShort((short) count);
        texts.forEach(text -> put(out, text));
        out.put(response.body().bytes());
        return Payload.of(out.array());
    }

    private static ByteBuffer start(byte kind, byte[] traceId, int size) {
        ByteBuffer out = ByteBuffer.allocate(2 + 2 + traceId.length + size);
        out.put(FORMAT).put(kind);
        put(out, traceId);
        return out;
    }

    private static void put(ByteBuffer out, byte[] text) {
        out.putShort((short) text.length);
        out.put(text);
    }

    private static byte[] text(@Nullable String text) {
        if (text == null) {
            return NO_TEXT;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_SHORT) {
            throw new IllegalArgumentException(
                    "a stored text has at most " + MAX_SHORT + " bytes, not " + bytes.length);
        }
        return bytes;
    }

    static RecordContent decode(Payload payload) throws UnreadableContentException {
        ByteBuffer in = ByteBuffer.wrap(payload.bytes());
        try {
            byte format = in.get();
            if (format != FORMAT) {
                throw new UnreadableContentException("unknown content format " + format, null);
            }
            byte kind = in.get();
            String read = readText(in);
            String traceId = read.isEmpty() ? null : read;
            return switch (kind) {
                case STARTED -> new RecordContent.Started(traceId);
                case ANSWER -> new RecordContent.Answer(traceId, readAnswer(in));
                case ANSWER_TOO_LARGE -> new RecordContent.AnswerTooLarge(traceId);
                case FAILURE ->
                    new RecordContent.Failure(traceId, readText(in), readText(in), Short.toUnsignedInt(in.getShort()));
                default -> throw new UnreadableContentException("unknown content kind " + kind, null);
            };
        } catch (BufferUnderflowException e) {
            throw new UnreadableContentException("content ends too early, after " + payload.size() + " bytes", e);
        }
    }

    private static StoredResponse readAnswer(ByteBuffer in) {
        int status = Short.toUnsignedInt(in.getShort());
        int count = Short.toUnsignedInt(in.getShort());
        List<Field> fields = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            fields.add(new Field(readText(in), readText(in)));
        }
        byte[] body = new byte[in.remaining()];
        in.get(body);
        return new StoredResponse(status, fields, Payload.of(body));
    }

    private static String readText(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        String text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
        in.position(in.position() + length);
        return text;
    }
}
