// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.Event;
import dev.idempotency.faults.history.Event.End;
import dev.idempotency.faults.history.Event.Result;
import dev.idempotency.faults.history.History;
import dev.idempotency.faults.history.Report;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The other end of every application's line: writes down what they say, and lets held calls go when told to. */
final class Driver implements AutoCloseable {

    private final ServerSocket listener;
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();
    private final Map<String, Duration> clocks = new ConcurrentHashMap<>();
    private final Map<Long, Runnable> held = new ConcurrentHashMap<>();
    private final Set<Long> released = ConcurrentHashMap.newKeySet();
    private final Map<String, History> histories = new ConcurrentHashMap<>();
    private final Map<String, String> keys = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    Driver() {
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.start("driver", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** A number that no other call, operation or process has. */
    long nextNumber() {
        return numbers.incrementAndGet();
    }

    /** What is said of operations whose name begins so goes into the history. */
    void listen(String prefix, History history) {
        histories.put(prefix, history);
    }

    /** The HTTP port of an instance that is ready, else null. */
    Integer portOf(String instance) {
        return ports.get(instance);
    }

    /** How far the clock of an instance that is ready is ahead of ours. */
    Duration clockOf(String instance) {
        return clocks.get(instance);
    }

    /** The operation that has this record key. */
    String operationOf(byte[] recordKey) {
        return keys.get(HexFormat.of().formatHex(recordKey));
    }

    boolean isHeld(long call) {
        return held.containsKey(call);
    }

    /** A call that was let go comes by the same point again if it has to end in another way. */
    private synchronized void hold(long call, Runnable go) {
        if (released.contains(call)) {
            go.run();
        } else {
            held.put(call, go);
        }
    }

    /** Lets a held call go on, to its end. */
    synchronized void release(long call) {
        released.add(call);
        Runnable go = held.remove(call);
        if (go != null) {
            go.run();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Threads.start("driver-line", () -> serve(socket));
            } catch (IOException e) {
                // The listener was closed.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            String instance = in.readUTF();
            while (true) {
                int number = in.readInt();
                String verb = in.readUTF();
                List<String> fields = new ArrayList<>();
                for (int i = in.readByte(); i > 0; i--) {
                    fields.add(in.readUTF());
                }
                if (verb.equals("at")) {
                    hold(Long.parseLong(fields.get(1)), () -> answer(out, number, 0));
                } else {
                    answer(out, number, hear(instance, verb, fields));
                }
            }
        } catch (IOException e) {
            // The process is gone.
        }
    }

    private static void answer(DataOutputStream out, int number, long value) {
        try {
            synchronized (out) {
                out.writeInt(number);
                out.writeLong(value);
                out.flush();
            }
        } catch (IOException e) {
            // The process is gone.
        }
    }

    private long hear(String instance, String verb, List<String> fields) {
        if (verb.equals("ready")) {
            clocks.put(instance, Duration.between(Instant.now(), Instant.parse(fields.get(1))));
            ports.put(instance, Integer.parseInt(fields.get(0)));
            return 0;
        }
        String operation = fields.get(0);
        History history = histories.get(operation.substring(0, operation.indexOf('-') + 1));
        if (history == null) {
            throw new IllegalStateException(instance + " speaks of an operation that nobody has begun: " + operation);
        }
        if (verb.equals("effect")) {
            int attempt = Integer.parseInt(fields.get(1));
            long version = Long.parseLong(fields.get(2));
            return history.addEffect(id -> new Event.Effect(operation, instance, id, attempt, version));
        }
        history.add(
                switch (verb) {
                    case "claimed" -> {
                        keys.put(fields.get(2), operation);
                        yield new Event.Claimed(
                                operation,
                                Long.parseLong(fields.get(1)),
                                instance,
                                Integer.parseInt(fields.get(3)),
                                Long.parseLong(fields.get(4)));
                    }
                    case "claim-unanswered" -> new Event.ClaimUnanswered(operation, instance);
                    case "completed" ->
                        new Event.Completed(
                                operation,
                                instance,
                                Long.parseLong(fields.get(1)),
                                End.valueOf(fields.get(2)),
                                Result.valueOf(fields.get(3)));
                    case "reported" ->
                        new Event.Reported(
                                operation, instance, Report.valueOf(fields.get(1)), Integer.parseInt(fields.get(2)));
                    default -> throw new IllegalStateException("nobody knows what " + verb + " means");
                });
        return 0;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
