// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The connections between one application and its store, which can be broken. What a broken link has swallowed never
 * arrives: the connections concerned are reset when it is {@linkplain #heal mended}.
 */
final class Link implements AutoCloseable {

    private final ServerSocket listener;
    private final int target;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile boolean refusing;
    private volatile boolean halfOpen;
    private volatile boolean losingReplies;
    private volatile long delayMillis;

    /** A link to a port on this machine. */
    Link(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.start("link", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Resets every connection; new ones work. */
    void cut() {
        open.forEach(Link::reset);
        open.clear();
    }

    /** Resets every connection and refuses new ones. */
    void refuse() {
        refusing = true;
        cut();
    }

    /** Connections stay open and can be opened, and nothing comes through in either direction. */
    void halfOpen() {
        halfOpen = true;
    }

    /** Requests arrive, replies do not. */
    void loseReplies() {
        losingReplies = true;
    }

    /** Everything arrives late, in both directions. */
    void delay(long millis) {
        delayMillis = millis;
    }

    /** New connections work, and connections that have lost something are reset. */
    void heal() {
        boolean lost = halfOpen || losingReplies;
        refusing = false;
        halfOpen = false;
        losingReplies = false;
        delayMillis = 0;
        if (lost) {
            cut();
        }
    }

    @Override
    public void close() {
        closeQuietly(listener);
        cut();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                serve(listener.accept());
            } catch (IOException e) {
                // The listener was closed.
            }
        }
    }

    private void serve(Socket client) {
        if (refusing) {
            reset(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open.add(client);
            open.add(server);
            Threads.start("link-requests", () -> pump(client, server, false));
            Threads.start("link-replies", () -> pump(server, client, true));
        } catch (IOException e) {
            // The server is away, and so is the client's connection to it.
            reset(client);
        }
    }

    private void pump(Socket from, Socket to, boolean replies) {
        byte[] buffer = new byte[16_384];
        boolean lossy = false;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                long millis = delayMillis;
                if (millis > 0) {
                    TimeUnit.MILLISECONDS.sleep(millis);
                }
                // Nothing comes through after a gap, as TCP would have it.
                lossy |= halfOpen || (replies && losingReplies);
                if (!lossy) {
                    out.write(buffer, 0, n);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One side is gone; the other is closed with it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
        closeQuietly(socket);
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // Nothing is left to save.
        }
    }
}
