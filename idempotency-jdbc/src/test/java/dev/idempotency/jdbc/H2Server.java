// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.util.UUID;

/** H2 in memory, under a name of its own. */
final class H2Server implements DatabaseServer {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Override
    public String url() {
        return url;
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
