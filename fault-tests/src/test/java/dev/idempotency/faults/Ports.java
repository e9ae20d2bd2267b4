// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports that nobody listens on. */
final class Ports {

    /** What a Redis Cluster node adds to its port for the bus. */
    private static final int BUS = 10_000;

    private static final int LAST = 65_535;
    private static final int ATTEMPTS = 200;

    private Ports() {}

    static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port on this machine", e);
        }
    }

    /** A port that leaves room for a Cluster node's bus. */
    static int freeWithBus() {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = free();
            int base = port + BUS > LAST ? port - BUS : port;
            if (isFree(base) && isFree(base + BUS)) {
                return base;
            }
        }
        throw new IllegalStateException("no two free ports " + BUS + " apart on this machine");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
