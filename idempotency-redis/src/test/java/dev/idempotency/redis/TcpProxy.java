// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between the store and the server and loses what it is told to lose. */
final class TcpProxy implements AutoCloseable {

    private final String targetHost;
    private volatile int targetPort;
    private final ServerSocket listener;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicBoolean loseNextReply = new AtomicBoolean();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean refusing;
    private volatile boolean swallowing;

    TcpProxy(TestRedis target) {
        this(target.host(), target.port());
    }

    TcpProxy(String targetHost, int targetPort) {
        this.targetHost = targetHost;
        this.targetPort = targetPort;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    String host() {
        return listener.getInetAddress().getHostAddress();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The next reply is lost with its connection, after the server has done what it replies to. */
    void loseNextReply() {
        loseNextReply.set(true);
    }

    /** Leads new connections to another server on the same host. */
    void leadTo(int port) {
        targetPort = port;
    }

    /** How many connections have been asked for. */
    int accepted() {
        return accepted.get();
    }

    /** Cuts the connections that there are. */
    void cut() {
        open.forEach(TcpProxy::closeQuietly);
    }

    /** Whether new connections are cut at once. */
    void refuse(boolean refuse) {
        refusing = refuse;
    }

    /** Whether requests go nowhere while connections stay open. */
    void swallow(boolean swallow) {
        swallowing = swallow;
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
        accepted.incrementAndGet();
        open.add(client);
        if (refusing) {
            closeQuietly(client);
            return;
        }
        try {
            Socket server = new Socket(targetHost, targetPort);
            open.add(server);
            start(() -> pump(client, server, false));
            start(() -> pump(server, client, true));
        } catch (IOException e) {
            // The server is away, and so is the client's connection to it.
            closeQuietly(client);
        }
    }

    private void pump(Socket from, Socket to, boolean replies) {
        byte[] buffer = new byte[8_192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (replies && loseNextReply.compareAndSet(true, false)) {
                    return;
                }
                if (replies || !swallowing) {
                    out.write(buffer, 0, n);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One side is gone; the other is closed with it.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // Nothing is left to save.
        }
    }
}
