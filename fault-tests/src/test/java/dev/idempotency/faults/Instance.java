// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.awaitility.Awaitility.await;

import dev.idempotency.faults.app.FaultTestApplication;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One running instance of the application, in a process of its own. */
final class Instance implements AutoCloseable {

    /** For instances whose effects are no rows. */
    static final String NO_DATABASE =
            "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final String name;
    private final Driver driver;
    private final Child child;

    private Instance(String name, Driver driver, Child child) {
        this.name = name;
        this.driver = driver;
        this.child = child;
    }

    /** Starts one and does not wait for it. */
    static Instance start(
            Driver driver, Path directory, Map<String, String> environment, List<String> jvm, List<String> properties) {
        String name = "app" + driver.nextNumber();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-Xshare:auto"));
        command.addAll(jvm);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FaultTestApplication.class.getName()));
        command.addAll(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.tomcat.threads.max=400",
                "--server.tomcat.max-connections=2000",
                "--spring.main.banner-mode=off",
                "--logging.level.org.apache.catalina.core.ContainerBase=off", // every fault would be a stack trace
                "--logging.level.com.zaxxer.hikari=error",
                "--spring.application.name=faults",
                "--faults.driver=" + driver.port(),
                "--faults.instance=" + name));
        properties.forEach(property -> command.add("--" + property));
        return new Instance(name, driver, Child.start(directory, name, command, environment));
    }

    /** Returns when it serves requests. */
    Instance awaitReady() {
        await().atMost(LIMIT).until(() -> {
            child.mustLive();
            return driver.portOf(name) != null;
        });
        return this;
    }

    boolean isReady() {
        return child.isAlive() && driver.portOf(name) != null;
    }

    String name() {
        return name;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + driver.portOf(name) + path);
    }

    Child process() {
        return child;
    }

    @Override
    public void close() {
        child.close();
    }
}
