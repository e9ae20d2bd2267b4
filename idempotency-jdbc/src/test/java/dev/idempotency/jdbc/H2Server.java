// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.sql.SQLException;
import java.util.UUID;
import org.h2.tools.Server;

/** H2 in memory, under a name of its own. */
final class H2Server implements DatabaseServer {

    private final String name = "mem:" + UUID.randomUUID();
    private Server tcp;

    @Override
    public String url() {
        return "jdbc:h2:" + name + ";USER=sa;DB_CLOSE_DELAY=-1";
    }

    @Override
    public synchronized String urlForOtherProcesses() {
        try {
            if (tcp == null) {
                tcp = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon").start();
            }
            return "jdbc:h2:tcp://localhost:" + tcp.getPort() + "/" + name + ";USER=sa";
        } catch (SQLException e) {
            throw new IllegalStateException("the test's H2 server did not start", e);
        }
    }

    @Override
    public void start() {
        // It comes to life with the first connection.
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("a database in memory does not outlive its end");
    }

    @Override
    public void stop() {
        // It ends with the process.
    }
}
