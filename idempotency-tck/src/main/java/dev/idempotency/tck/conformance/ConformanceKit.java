// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawConnection;
import dev.idempotency.tck.http.RawRequest;
import dev.idempotency.tck.http.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs the rows of the HTTP contract against a server in any language, from outside. The server offers a handful of
 * endpoints under {@code /conformance}, described in docs/conformance-kit.md, and counts its executions. Rows that need
 * hands on the server (killing it, its store, its clock) are not part of the kit.
 *
 * <p>May be called from any thread. A row sends at most 50 requests at once.
 */
public final class ConformanceKit {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Target target;
    private final Map<String, String> features;

    private ConformanceKit(Target target, Map<String, String> features) {
        this.target = target;
        this.features = features;
    }

    /**
     * Asks a server what it offers.
     *
     * @param baseUrl what stands before {@code /conformance}
     * @param consented names of hosts, other than this machine, that you may test
     * @throws IllegalArgumentException if that host may not be tested, or has no such endpoints
     * @throws UncheckedIOException if it does not answer
     */
    public static ConformanceKit against(String baseUrl, Collection<String> consented) {
        Target target = Target.of(URI.create(baseUrl), consented);
        RawRequest question = RawRequest.of("GET", "/conformance/features").with("Connection", "close");
        try (RawConnection connection = RawConnection.open(target, PATIENCE)) {
            RawAnswer answer = connection.exchange(question);
            if (answer.status() != 200) {
                throw new IllegalArgumentException(
                        target + "/conformance/features must answer 200, but answers " + answer.status());
            }
            Map<String, String> features = new HashMap<>();
            answer.text()
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .forEach(line -> {
                        int sign = line.indexOf('=');
                        features.put(
                                sign < 0 ? line : line.substring(0, sign), sign < 0 ? "" : line.substring(sign + 1));
                    });
            return new ConformanceKit(target, Map.copyOf(features));
        } catch (IOException e) {
            throw new UncheckedIOException(target + " does not answer: " + e.getMessage(), e);
        }
    }

    /** The same for a server on this machine. */
    public static ConformanceKit against(String baseUrl) {
        return against(baseUrl, List.of());
    }

    /** Every row of the kit. */
    public static List<ConformanceRow> rows() {
        return Stream.of(
                        HeaderRows.ALL,
                        ScopeRows.ALL,
                        ReplayRows.ALL,
                        OutcomeRows.ALL,
                        ContentRows.ALL,
                        ConcurrencyRows.ALL,
                        BreakerRows.ALL,
                        WebhookRows.ALL)
                .flatMap(List::stream)
                .toList();
    }

    /** Whether the server says that it has what this row is about. */
    public boolean offers(ConformanceRow row) {
        return row.feature().map(features::containsKey).orElse(true);
    }

    /** Runs one row. Rows are independent of each other, and of earlier runs. */
    public RowResult run(ConformanceRow row) {
        return row.run(new Bench(target, features, PATIENCE));
    }

    /** Runs every row, one after another. */
    public ConformanceReport run() {
        return new ConformanceReport(rows().stream().map(this::run).toList());
    }
}
