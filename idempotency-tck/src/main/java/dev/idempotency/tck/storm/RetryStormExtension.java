// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Aims the storms of a test class at its server, and publishes what came of each as a report entry.
 *
 * <pre>{@code
 * @LocalServerPort int port;
 *
 * @RegisterExtension
 * final RetryStormExtension storms = RetryStormExtension.at(() -> "http://localhost:" + port);
 * }</pre>
 *
 * <p>JUnit's configuration parameters, such as system properties, aim the same tests elsewhere: {@value #URL}, with
 * {@value #CONSENT} for a host that is not this machine, and {@value #SEED}.
 */
public final class RetryStormExtension implements BeforeEachCallback {

    /** Configuration parameter with another base URL than the test's own. */
    public static final String URL = "idempotency.storm.url";

    /** Configuration parameter with the name of a host that you may test. */
    public static final String CONSENT = "idempotency.storm.i-may-test-this-host";

    /** Configuration parameter with another seed. */
    public static final String SEED = "idempotency.storm.seed";

    private final Supplier<String> ownUrl;
    private @Nullable ExtensionContext context;

    private RetryStormExtension(Supplier<String> ownUrl) {
        this.ownUrl = ownUrl;
    }

    /** Storms against the test's own server, whose URL is asked for when a storm is made. */
    public static RetryStormExtension at(Supplier<String> baseUrl) {
        return new RetryStormExtension(baseUrl);
    }

    /**
     * A storm on a path of the server.
     *
     * @throws IllegalStateException outside of a test
     */
    public RetryStorm on(String path) {
        ExtensionContext test = context;
        if (test == null) {
            throw new IllegalStateException(
                    "storms of an extension belong to a test: register it by @RegisterExtension");
        }
        Optional<String> elsewhere = test.getConfigurationParameter(URL);
        RetryStorm storm = RetryStorm.on(path)
                .at(URI.create(elsewhere.orElseGet(ownUrl)))
                .listener(report -> test.publishReportEntry(Map.of("retry-storm", report.toString())));
        test.getConfigurationParameter(CONSENT).ifPresent(storm::mayTest);
        test.getConfigurationParameter(SEED).map(Long::valueOf).ifPresent(storm::seed);
        return storm;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        this.context = test;
    }
}
