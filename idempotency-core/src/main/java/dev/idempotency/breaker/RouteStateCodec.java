// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import dev.idempotency.breaker.RouteWindow.Failed;
import dev.idempotency.breaker.RouteWindow.Tenth;
import dev.idempotency.breaker.Suspension.Trial;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The binary form of a {@link RouteState}: format number, failures, counts, suspension. Times are microseconds. */
final class RouteStateCodec {

    private static final byte FORMAT = 1;

    private RouteStateCodec() {}

    static byte[] encode(RouteState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(FORMAT);
            write(out, state.window());
            Suspension suspension = state.suspension();
            out.writeBoolean(suspension != null);
            if (suspension != null) {
                write(out, suspension);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, RouteWindow window) throws IOException {
        out.writeInt(window.failures().size());
        for (Failed failed : window.failures()) {
            out.writeLong(failed.operation());
            out.writeLong(micros(failed.at()));
        }
        out.writeInt(window.tenths().size());
        for (Tenth tenth : window.tenths()) {
            out.writeLong(tenth.number());
            out.writeLong(tenth.attempted());
            out.writeLong(tenth.failed());
        }
    }

    private static void write(DataOutputStream out, Suspension suspension) throws IOException {
        out.writeUTF(suspension.cause().name());
        out.writeLong(micros(suspension.since()));
        out.writeLong(micros(suspension.until()));
        out.writeLong(suspension.cooldown().toNanos() / 1_000);
        out.writeInt(suspension.count());
        out.writeUTF(suspension.recordKey());
        out.writeLong(suspension.version());
        out.writeInt(suspension.trials().size());
        for (Trial trial : suspension.trials()) {
            out.writeLong(trial.id());
            out.writeLong(micros(trial.end()));
        }
    }

    static @Nullable RouteState decode(byte[] bytes) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            if (in.readByte() != FORMAT) {
                return null;
            }
            RouteWindow window = readWindow(in);
            return new RouteState(window, in.readBoolean() ? readSuspension(in) : null);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static int readCount(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > in.available() / Long.BYTES) {
            throw new EOFException("fewer bytes than " + count + " entries");
        }
        return count;
    }

    private static RouteWindow readWindow(DataInputStream in) throws IOException {
        List<Failed> failures = new ArrayList<>();
        for (int left = readCount(in); left > 0; left--) {
            failures.add(new Failed(in.readLong(), readInstant(in)));
        }
        List<Tenth> tenths = new ArrayList<>();
        for (int left = readCount(in); left > 0; left--) {
            tenths.add(new Tenth(in.readLong(), in.readLong(), in.readLong()));
        }
        return new RouteWindow(failures, tenths);
    }

    private static Suspension readSuspension(DataInputStream in) throws IOException {
        SuspensionCause cause = SuspensionCause.valueOf(in.readUTF());
        Instant since = readInstant(in);
        Instant until = readInstant(in);
        Duration cooldown = Duration.of(in.readLong(), ChronoUnit.MICROS);
        int count = in.readInt();
        String recordKey = in.readUTF();
        long version = in.readLong();
        List<Trial> trials = new ArrayList<>();
        for (int left = readCount(in); left > 0; left--) {
            trials.add(new Trial(in.readLong(), readInstant(in)));
        }
        return new Suspension(cause, since, until, cooldown, count, recordKey, version, trials);
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    private static Instant readInstant(DataInputStream in) throws IOException {
        return Instant.EPOCH.plus(in.readLong(), ChronoUnit.MICROS);
    }
}
