// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** A server in a container, on a port that stays the same when it is killed and started again. */
final class ContainerServer implements DatabaseServer {

    /** Names another image than mariadb:11.4, such as mysql:8.4. */
    static final String MARIADB_IMAGE_VARIABLE = "IDEMPOTENCY_TEST_MARIADB_IMAGE";

    private final GenericContainer<?> container;
    private final int port;
    private final String urlFormat;
    private boolean created;

    private ContainerServer(GenericContainer<?> container, int port, String urlFormat) {
        this.container = container;
        this.port = port;
        this.urlFormat = urlFormat;
    }

    static ContainerServer of(Database database) {
        return switch (database) {
            case POSTGRESQL ->
                new ContainerServer(
                        new GenericContainer<>(DockerImageName.parse("postgres:17-alpine"))
                                .withEnv("POSTGRES_PASSWORD", "test")
                                .withExposedPorts(5432)
                                .waitingFor(Wait.forLogMessage(".*ready to accept connections.*\\s", 2)),
                        5432,
                        "jdbc:postgresql://%s:%d/postgres?user=postgres&password=test");
            case MARIADB -> image().startsWith("mysql") ? mySql() : mariaDb();
            default -> throw new IllegalArgumentException("no container is known for " + database);
        };
    }

    private static String image() {
        String image = System.getenv(MARIADB_IMAGE_VARIABLE);
        return image == null || image.isBlank() ? "mariadb:11.4" : image;
    }

    private static ContainerServer mariaDb() {
        return new ContainerServer(
                new GenericContainer<>(DockerImageName.parse(image()))
                        .withEnv("MARIADB_ROOT_PASSWORD", "test")
                        .withEnv("MARIADB_DATABASE", "test")
                        .withExposedPorts(3306)
                        .waitingFor(Wait.forLogMessage(".*ready for connections.*\\s", 2)),
                3306,
                "jdbc:mariadb://%s:%d/test?user=root&password=test");
    }

    /** By MySQL's own driver. */
    private static ContainerServer mySql() {
        return new ContainerServer(
                new GenericContainer<>(DockerImageName.parse(image()))
                        .withEnv("MYSQL_ROOT_PASSWORD", "test")
                        .withEnv("MYSQL_DATABASE", "test")
                        .withExposedPorts(3306)
                        // The server that fills the data directory first has no port.
                        .waitingFor(Wait.forLogMessage(".*ready for connections.*port: 3306.*\\s", 1)),
                3306,
                "jdbc:mysql://%s:%d/test?user=root&password=test&allowPublicKeyRetrieval=true");
    }

    @Override
    public String url() {
        return urlFormat.formatted(container.getHost(), container.getMappedPort(port));
    }

    @Override
    public void start() {
        if (created) {
            container
                    .getDockerClient()
                    .startContainerCmd(container.getContainerId())
                    .exec();
        } else {
            container.start();
            created = true;
        }
    }

    @Override
    public void kill() {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void stop() {
        container.stop();
    }
}
