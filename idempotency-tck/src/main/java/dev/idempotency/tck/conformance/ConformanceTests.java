// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idempotency.tck.conformance.RowResult.Verdict;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The rows of the kit as tests of JUnit, to be returned by a method with {@code @TestFactory}. */
public final class ConformanceTests {

    private ConformanceTests() {}

    /** One test for each row; rows of features that the server does not offer are aborted and so stay visible. */
    public static Stream<DynamicTest> of(ConformanceKit kit) {
        return ConformanceKit.rows().stream()
                .map(row -> DynamicTest.dynamicTest(row.id() + " " + row.name(), () -> {
                    RowResult result = kit.run(row);
                    assumeTrue(result.verdict() != Verdict.NOT_OFFERED, result.seen());
                    assertNotEquals(Verdict.FAILED, result.verdict(), result.seen());
                }));
    }
}
