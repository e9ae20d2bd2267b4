// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

/** How {@link TestDatabase} comes by a server. */
interface DatabaseServer {

    /** JDBC URL with user and password. */
    String url();

    /** The same for processes other than the test's own. */
    default String urlForOtherProcesses() {
        return url();
    }

    void start() throws Exception;

    /** Ends it without warning; its data stay. */
    void kill();

    /** Ends it and forgets its data. */
    void stop();

    /** A server that somebody else starts and stops. */
    static DatabaseServer at(String url) {
        return new DatabaseServer() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public void start() {
                throw new UnsupportedOperationException("a shared server is not a test's to start");
            }

            @Override
            public void kill() {
                throw new UnsupportedOperationException("a shared server is not a test's to stop");
            }

            @Override
            public void stop() {
                // It is not a test's to stop.
            }
        };
    }
}
