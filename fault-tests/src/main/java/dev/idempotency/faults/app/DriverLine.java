// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The line to the driver. Whatever is said over it waits until the driver has written it down, or lets go on. A process
 * whose driver is gone ends itself. May be used from any thread.
 */
final class DriverLine {

    private final DataOutputStream out;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Long>> waiting = new ConcurrentHashMap<>();

    /**
     * A line to a driver on this machine.
     *
     * @param instance what the driver calls this process
     */
    DriverLine(int port, String instance) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = new DataOutputStream(socket.getOutputStream());
            out.writeUTF(instance);
            out.flush();
            Thread listener = new Thread(() -> listen(socket), "driver-line");
            listener.setDaemon(true);
            listener.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells the driver something and waits for its answer. */
    long say(String verb, Object... fields) {
        int number = numbers.incrementAndGet();
        CompletableFuture<Long> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        try {
            synchronized (out) {
                out.writeInt(number);
                out.writeUTF(verb);
                out.writeByte(fields.length);
                for (Object field : fields) {
                    out.writeUTF(String.valueOf(field));
                }
                out.flush();
            }
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
        return answer.join();
    }

    private void listen(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                CompletableFuture<Long> answer = waiting.remove(in.readInt());
                long value = in.readLong();
                if (answer != null) {
                    answer.complete(value);
                }
            }
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }
}
