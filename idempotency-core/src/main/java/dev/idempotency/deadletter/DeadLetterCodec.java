// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.deadletter.DeadLetterContent.Failure;
import dev.idempotency.deadletter.DeadLetterContent.RecordSnapshot;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoredResponse.Field;
import dev.idempotency.store.UnreadableContentException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of {@link DeadLetterContent}: format number, then its fields in order. Texts are UTF-8 behind a 32-bit
 * length, -1 for none; lists behind their 32-bit size; times are microseconds since 1970.
 */
final class DeadLetterCodec {

    private static final byte FORMAT = 1;
    private static final int NONE = -1;

    private DeadLetterCodec() {}

    static Payload encode(DeadLetterContent content) {
        ByteArrayOutputStream bytes =
                new ByteArrayOutputStream(512 + content.request().body().size());
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            text(out, content.transport());
            request(out, content.request());
            out.writeInt(content.fingerprint().algorithm());
            out.write(content.fingerprint().toBytes());
            out.writeInt(content.attempts());
            out.writeInt(content.failures().size());
            for (Failure failure : content.failures()) {
                text(out, failure.type());
                text(out, failure.message());
            }
            out.writeInt(content.statuses().size());
            for (int status : content.statuses()) {
                out.writeInt(status);
            }
            text(out, content.traceId());
            text(out, content.node());
            snapshot(out, content.snapshot());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Payload.of(bytes.toByteArray());
    }

    private static void request(DataOutputStream out, RequestSnapshot request) throws IOException {
        text(out, request.method());
        text(out, request.target());
        text(out, request.query());
        out.writeInt(request.fields().size());
        for (Field field : request.fields()) {
            text(out, field.name());
            text(out, field.value());
        }
        bytes(out, request.body().bytes());
        out.writeBoolean(request.bodyComplete());
        text(out, request.principal());
        texts(out, request.withheldFields());
        texts(out, request.redactedPointers());
    }

    private static void snapshot(DataOutputStream out, @Nullable RecordSnapshot snapshot) throws IOException {
        out.writeBoolean(snapshot != null);
        if (snapshot == null) {
            return;
        }
        out.writeLong(snapshot.version());
        text(out, snapshot.status().name());
        out.writeInt(snapshot.attempts());
        time(out, snapshot.createdAt());
        time(out, snapshot.updatedAt());
        time(out, snapshot.leaseEnd());
        time(out, snapshot.expiresAt());
        out.writeBoolean(snapshot.cooledUntil() != null);
        if (snapshot.cooledUntil() != null) {
            time(out, snapshot.cooledUntil());
        }
        out.writeInt(snapshot.recentFailures().size());
        for (Instant failure : snapshot.recentFailures()) {
            time(out, failure);
        }
    }

    private static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            text(out, text);
        }
    }

    private static void text(DataOutputStream out, @Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(NONE);
        } else {
            bytes(out, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void time(DataOutputStream out, Instant time) throws IOException {
        out.writeLong(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    static DeadLetterContent decode(Payload payload) throws UnreadableContentException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.bytes()));
        try {
            byte format = in.readByte();
            if (format != FORMAT) {
                throw new UnreadableContentException("unknown format " + format + " of a dead letter", null);
            }
            DeadLetterContent content = read(in);
            if (in.available() > 0) {
                throw new UnreadableContentException(in.available() + " bytes too many in a dead letter", null);
            }
            return content;
        } catch (IOException | IllegalArgumentException e) {
            throw new UnreadableContentException("a dead letter of " + payload.size() + " bytes is damaged", e);
        }
    }

    private static DeadLetterContent read(DataInputStream in) throws IOException {
        return new DeadLetterContent(
                someText(in),
                readRequest(in),
                readFingerprint(in),
                in.readInt(),
                readFailures(in),
                readStatuses(in),
                readText(in),
                someText(in),
                in.readBoolean() ? readSnapshot(in) : null);
    }

    private static RequestSnapshot readRequest(DataInputStream in) throws IOException {
        return new RequestSnapshot(
                someText(in),
                someText(in),
                readText(in),
                readFields(in),
                Payload.of(someBytes(in)),
                in.readBoolean(),
                readText(in),
                readTexts(in),
                readTexts(in));
    }

    private static RecordSnapshot readSnapshot(DataInputStream in) throws IOException {
        return new RecordSnapshot(
                in.readLong(),
                RecordStatus.valueOf(someText(in)),
                in.readInt(),
                readTime(in),
                readTime(in),
                readTime(in),
                readTime(in),
                in.readBoolean() ? readTime(in) : null,
                readTimes(in));
    }

    private static Fingerprint readFingerprint(DataInputStream in) throws IOException {
        int algorithm = in.readInt();
        byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
        in.readFully(digest);
        return Fingerprint.of(algorithm, digest);
    }

    private static List<Field> readFields(DataInputStream in) throws IOException {
        List<Field> fields = new ArrayList<>();
        for (int left = readSize(in); left > 0; left--) {
            fields.add(new Field(someText(in), someText(in)));
        }
        return fields;
    }

    private static List<Failure> readFailures(DataInputStream in) throws IOException {
        List<Failure> failures = new ArrayList<>();
        for (int left = readSize(in); left > 0; left--) {
            failures.add(new Failure(someText(in), someText(in)));
        }
        return failures;
    }

    private static List<Integer> readStatuses(DataInputStream in) throws IOException {
        List<Integer> statuses = new ArrayList<>();
        for (int left = readSize(in); left > 0; left--) {
            statuses.add(in.readInt());
        }
        return statuses;
    }

    private static List<Instant> readTimes(DataInputStream in) throws IOException {
        List<Instant> times = new ArrayList<>();
        for (int left = readSize(in); left > 0; left--) {
            times.add(readTime(in));
        }
        return times;
    }

    private static List<String> readTexts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = readSize(in); left > 0; left--) {
            texts.add(someText(in));
        }
        return texts;
    }

    private static int readSize(DataInputStream in) throws IOException {
        int size = in.readInt();
        if (size < 0 || size > in.available()) {
            throw new EOFException("a length of " + size);
        }
        return size;
    }

    private static byte[] someBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[readSize(in)];
        in.readFully(bytes);
        return bytes;
    }

    private static String someText(DataInputStream in) throws IOException {
        return new String(someBytes(in), StandardCharsets.UTF_8);
    }

    private static @Nullable String readText(DataInputStream in) throws IOException {
        in.mark(Integer.BYTES);
        if (in.readInt() == NONE) {
            return null;
        }
        in.reset();
        return someText(in);
    }

    private static Instant readTime(DataInputStream in) throws IOException {
        return Instant.EPOCH.plus(in.readLong(), ChronoUnit.MICROS);
    }
}
