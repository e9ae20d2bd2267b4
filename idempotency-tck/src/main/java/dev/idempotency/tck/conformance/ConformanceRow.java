// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import dev.idempotency.tck.conformance.RowResult.Verdict;
import java.io.IOException;
import java.util.Optional;

/** One promise of the HTTP contract, and the requests that show whether a server keeps it. Immutable. */
public final class ConformanceRow {

    private final String id;
    private final String name;
    private final String feature;
    private final Check check;

    private ConformanceRow(String id, String name, String feature, Check check) {
        this.id = id;
        this.name = name;
        this.feature = feature;
        this.check = check;
    }

    /** A row that every server has to keep. */
    static ConformanceRow row(String id, String name, Check check) {
        return new ConformanceRow(id, name, "", check);
    }

    /** The same row, for servers that say they have a feature. */
    ConformanceRow with(String needed) {
        return new ConformanceRow(id, name, needed, check);
    }

    /** Identifies the row, such as {@code C23}. */
    public String id() {
        return id;
    }

    /** The promise in a few words. */
    public String name() {
        return name;
    }

    /** The feature that a server must offer for this row to matter, if it is not for every server. */
    public Optional<String> feature() {
        return Optional.of(feature).filter(text -> !text.isEmpty());
    }

    @Override
    public String toString() {
        return id + " " + name;
    }

    RowResult run(Bench bench) {
        if (!feature.isEmpty() && !bench.offers(feature)) {
            return new RowResult(this, Verdict.NOT_OFFERED, "the server does not offer " + feature);
        }
        try {
            check.run(bench);
            return new RowResult(this, Verdict.PASSED, bench.seen());
        } catch (Mismatch e) {
            return new RowResult(this, Verdict.FAILED, e.getMessage() + "; seen: " + bench.seen());
        } catch (IOException e) {
            return new RowResult(this, Verdict.FAILED, "no answer: " + e.getMessage() + "; seen: " + bench.seen());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new RowResult(this, Verdict.FAILED, "interrupted");
        }
    }

    /** Sends the requests; throws {@link Mismatch} when an answer or a count is not what the row promises. */
    interface Check {
        void run(Bench bench) throws IOException, InterruptedException;
    }
}
